"""The audit log through real calls: signed, checked, cut, proven, rotated; and calls whose record cannot be written."""
import json, resource, shutil, signal, sqlite3, subprocess, time, unittest

from ward import BINARY, Case

CALL = ("call", "list_indexed_schemas", "{}")
FILE_BYTES = 36 << 10  # room for the shared-memory file of a database
CALLS_MAX = 2_000     # of which some 400 fill a file of a MiB


def limit_files(size):
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


class Audit(Case):
    def setUp(self):
        super().setUp()
        self.log = self.folder / "log" / "audit.db"
        self.log.parent.mkdir()
        self.environment["SCHEMAWARD_AUDIT_PATH"] = str(self.log)
        self.shop()

    def sign(self):
        self.ward("audit", "keygen", self.folder / "key")
        self.environment["SCHEMAWARD_AUDIT_KEY"] = str(self.folder / "key")
        self.environment["SCHEMAWARD_AUDIT_CHECKPOINTS"] = str(self.folder / "checkpoints")

    def ward_in(self, mode):
        self.environment["SCHEMAWARD_AUDIT_MODE"] = mode
        return self.ward(*CALL)

    def verify(self, code=0):
        return json.loads(self.ward("audit", "verify", "--json", "--public-key", self.folder / "key.pub", "--checkpoints", self.folder / "checkpoints", code=code))

    def faults(self):
        return [(each["sequence"], each["fault"]) for each in self.verify(code=1)["mismatches"]]

    def test_a_callers_words_begin_no_line_of_their_own(self):
        words = self.folder / "words.log"
        self.environment["SCHEMAWARD_LOG_LEVEL"] = "info"
        with open(words, "w") as out:
            server = self.serve(stderr=out)
            server.send({"jsonrpc": "2.0", "id": "a\nforged\u009b2K", "method": "tools/call", "params": {"name": "x\n99 forged\x1b[2K\u009b2K\u2028forged", "arguments": {}}})
            server.receive()
            server.close()
        for said in (self.ward("audit", "list"), self.ward("audit", "loops", code=0), words.read_text()):
            self.assertFalse([line for line in said.splitlines() if line.lstrip().startswith(("99", "forged"))], said)
            self.assertNotRegex(said, "[\x1b\u0080-\u009f\u2028]")
        self.assertIn("forged", self.ward("audit", "list"))

    def test_a_signed_log_shows_a_cut_tail_a_fork_and_a_strange_key(self):
        self.sign()
        self.ward(*CALL)
        first = self.verify()
        self.assertEqual(first["signed_through"], first["last_sequence"] - 1)
        saved = self.folder / "saved.db"
        shutil.copy(self.log, saved)
        self.ward(*CALL)
        second = self.verify()
        shutil.copy(saved, self.log)
        self.assertEqual(self.faults(), [(second["signed_through"], "cut")])
        # The configuration's own copy is held against the log where no other is named.
        told = json.loads(self.ward("audit", "verify", "--json", "--public-key", self.folder / "key.pub", code=1))
        self.assertEqual([each["fault"] for each in told["mismatches"]], ["cut"])
        self.ward(*CALL)
        self.ward(*CALL)
        self.assertEqual(self.faults(), [(second["signed_through"], "forked")])
        shutil.copy(saved, self.log)
        self.ward("audit", "keygen", self.folder / "other")
        self.environment["SCHEMAWARD_AUDIT_KEY"] = str(self.folder / "other")
        self.environment["SCHEMAWARD_AUDIT_CHECKPOINTS"] = ""
        self.ward(*CALL)
        self.assertEqual([fault for _, fault in self.faults()], ["resigned"])

    def test_a_record_is_proven_without_the_log(self):
        self.sign()
        self.ward(*CALL)
        proof = self.ward("audit", "prove", "2")
        shutil.rmtree(self.log.parent)
        path = self.folder / "proof.json"
        path.write_text(proof)
        check = ("audit", "verify", "--json", "--proof", path, "--public-key", self.folder / "key.pub")
        answer = json.loads(self.ward(*check))
        self.assertEqual((answer["valid"], answer["sequence"], answer["record"]["kind"]), (True, 2, "begin"))
        path.write_text(proof.replace('"leaf_index":1', '"leaf_index":2'))
        self.assertFalse(json.loads(self.ward(*check, code=1))["valid"])

    def test_a_key_in_the_logs_folder_is_refused(self):
        self.ward("audit", "keygen", self.log.parent / "key", code=2)
        self.ward("audit", "keygen", self.folder / "key")
        shutil.copy(self.folder / "key", self.log.parent / "key")
        self.environment["SCHEMAWARD_AUDIT_KEY"] = str(self.log.parent / "key")
        self.ward(*CALL, code=2)
        self.assertIn("lies in the log's own folder", self.ward("doctor", code=1))

    def test_modes_and_their_change(self):
        self.environment["SCHEMAWARD_AUDIT_PATH"] = str(self.folder / "nowhere" / "audit.db")
        refused = json.loads(self.ward(*CALL, code=1))
        self.assertEqual((refused["status"], refused["error"]["reason"]), ("refused", "audit_unavailable"))
        self.assertEqual(json.loads(self.ward_in("best-effort"))["status"], "success")
        self.environment["SCHEMAWARD_AUDIT_PATH"] = str(self.log)
        for mode in ("required", "off", "best-effort"):
            self.ward_in(mode)
        details = [record.get("detail") for record in map(json.loads, self.ward("audit", "export").splitlines()) if record["kind"] == "start"]
        self.assertEqual([each for each in details if each], ["mode changed from required to off", "mode changed from off to best-effort"])
        self.ward("audit", "verify")

    def test_a_full_disk_refuses_calls_and_loses_nothing(self):
        server = self.serve()
        waiting = self.log.with_name("audit.db-wal")
        for _ in range(200):
            server.call("list_indexed_schemas")
            if waiting.exists() and waiting.stat().st_size > 2 * FILE_BYTES:
                break
            time.sleep(0.02)
        # What the log would append lies beyond what this process may write; all else does not.
        done = subprocess.run([BINARY, *CALL, "--store", str(self.store)], env=self.environment, cwd=self.folder, capture_output=True, text=True, preexec_fn=lambda: limit_files(FILE_BYTES))
        answer = json.loads(done.stdout)
        self.assertEqual((done.returncode, answer["status"], answer["error"]["reason"]), (1, "refused", "audit_unavailable"), done.stderr)
        self.ward(*CALL)
        self.assertEqual(server.close(), 0)
        kinds = [record["kind"] for record in map(json.loads, self.ward("audit", "export").splitlines())]
        self.assertEqual((kinds.count("start"), kinds.count("begin")), (2, kinds.count("end")))
        self.ward("audit", "verify")

    def test_a_locked_log_refuses_calls_until_it_is_free(self):
        self.ward(*CALL)
        other = sqlite3.connect(self.log, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        server = self.serve()
        answer = server.call("execute_query", sql="SELECT status FROM sales_order LIMIT 1")
        self.assertEqual((answer["status"], answer["error"]["reason"]), ("refused", "audit_unavailable"))
        answer = server.call("list_indexed_schemas")
        self.assertEqual((answer["status"], answer["error"]["reason"]), ("refused", "audit_unavailable"))
        other.execute("ROLLBACK")
        other.close()
        for _ in range(50):
            answer = server.call("execute_query", sql="SELECT status FROM sales_order LIMIT 1")
            if answer["status"] == "success":
                break
        self.assertEqual(answer["status"], "success")
        self.ward("audit", "verify")

    def test_two_servers_go_on_in_next_files_and_each_record_reaches_the_sink(self):
        self.ward(*CALL)
        self.environment.update(SCHEMAWARD_AUDIT_ROTATE_MIB="1", SCHEMAWARD_AUDIT_SINK=f"file:{self.folder / 'sink.jsonl'}")
        servers = self.serve(), self.serve()
        next_file, after = self.log.with_name(self.log.name + ".000002"), 0
        for i in range(CALLS_MAX):
            servers[i % 2].call("find_relevant_tables", query=f"orders {'of a customer ' * 8}{i}")
            after += next_file.exists()
            if after == 50:
                break
        self.assertEqual([server.close() for server in servers], [0, 0])
        report = json.loads(self.ward("audit", "verify", "--json"))
        self.assertGreater(report["files"], 1)
        self.assertEqual(report["open_begin_count"], 0)
        records = sorted(json.loads(line)["sequence"] for line in (self.folder / "sink.jsonl").read_text().splitlines())
        self.assertEqual(records[-1], report["last_sequence"])
        self.assertEqual(records, list(range(records[0], records[-1] + 1)))


if __name__ == "__main__":
    unittest.main()
