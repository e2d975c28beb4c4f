"""Whatever the moment at which `index` is killed, the store opens and answers as before or as after."""
import random, subprocess, time, unittest

from ward import BINARY, Case

KILLS = 12
TABLES = (500, 640)


class Kill(Case):
    def counts(self):
        """How many tables the index holds, as the store's own reader counts them."""
        answer = self.call("list_indexed_schemas")
        self.assertEqual(answer["status"], "success", answer)
        return sum(schema["tables"] for schema in answer["data"]["schemas"])

    def test_index_is_the_old_or_the_new_one_after_kill_9(self):
        rng = random.Random(9)
        source = self.folder / "wide.sql"
        texts = {count: self.wide(count).read_text() for count in TABLES}
        old, new = TABLES
        source.write_text(texts[old])
        start = time.monotonic()
        self.ward("index", f"ddl:{source}")
        whole = time.monotonic() - start
        self.assertEqual(self.counts(), old)
        ends = {"killed": 0, "finished": 0}
        for _ in range(KILLS):
            source.write_text(texts[new])
            process = subprocess.Popen([BINARY, "index", f"ddl:{source}", "--store", str(self.store)], env=self.environment, cwd=self.folder,
                                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(rng.uniform(0, whole * 1.1))
            process.kill()
            ends["killed" if process.wait() < 0 else "finished"] += 1
            count = self.counts()
            self.assertIn(count, (old, new))
            if count == new:
                old, new = new, old
        self.assertGreater(ends["killed"], 0, ends)
        source.write_text(texts[new])
        self.ward("index", f"ddl:{source}")
        self.assertEqual(self.counts(), new)
        self.ward("audit", "verify")


if __name__ == "__main__":
    unittest.main()
