# Every third-party library and the reason it is here. Debian 12 packages; each is used from as few .cc files as can be.
# The executable links the core only (start-up and memory are decided at link time); client libraries of engines are linked
# by the engine modules, which are loaded at first use. Archives are preferred for the core: fewer relocations at start.
find_package(Threads REQUIRED)

function(ward_library name)
  cmake_parse_arguments(L "" "" "NAMES;HEADER" ${ARGN})
  find_library(WARD_LIB_${name} NAMES ${L_NAMES} REQUIRED)
  add_library(ward::${name} INTERFACE IMPORTED)
  target_link_libraries(ward::${name} INTERFACE ${WARD_LIB_${name}})
endfunction()

ward_library(sqlite NAMES libsqlite3.a sqlite3)        # the store, the audit file, and SQLite as a source
target_link_libraries(ward::sqlite INTERFACE Threads::Threads m dl)
ward_library(fmt NAMES fmt)                            # text formatting; std::format is absent in g++ 12
ward_library(spdlog NAMES spdlog)                      # structured lines on stderr
target_compile_definitions(ward::spdlog INTERFACE SPDLOG_SHARED_LIB SPDLOG_COMPILED_LIB SPDLOG_FMT_EXTERNAL)
target_link_libraries(ward::spdlog INTERFACE ward::fmt)
ward_library(yaml NAMES libyaml-cpp.a yaml-cpp)        # configuration, policy and definitions
ward_library(crypto NAMES libcrypto.a crypto)          # SHA-256 by the processor's instructions; nothing else of it is linked
target_link_libraries(ward::crypto INTERFACE Threads::Threads dl)
ward_library(crypto_shared NAMES libcrypto.so)         # signatures of tokens, in the module ward_token.so only
ward_library(ssl NAMES libssl.so)                     # TLS of the HTTP server, in the module ward_listen.so only
target_link_libraries(ward::ssl INTERFACE ward::crypto_shared)
# First of all: the archive of libcrypto that base links would take its place, and libssl would have another libcrypto than we.
target_link_options(ward::ssl INTERFACE LINKER:--no-as-needed,${WARD_LIB_ssl},${WARD_LIB_crypto_shared},--as-needed)
ward_library(sodium NAMES libsodium.a sodium)          # HMAC, Ed25519, base64: libcrypto's cost 3 MB of program and 0.3 MiB at start
ward_library(utf8proc NAMES libutf8proc.a utf8proc)    # case folding and normalisation of names
ward_library(stemmer NAMES libstemmer.a stemmer)       # Snowball stems for search
ward_library(date_tz NAMES date-tz)                    # time zones: g++ 12 has no zone database. It reads the machine's, at first use
target_compile_definitions(ward::date_tz INTERFACE USE_OS_TZDB=1)
ward_library(pg_query NAMES libpg_query.a pg_query)    # the real PostgreSQL parser
ward_library(pq NAMES pq)                              # PostgreSQL's client, in its engine module only
ward_library(curl NAMES curl)                          # HTTP to services, in the module ward_http.so only
ward_library(mariadb NAMES mariadb)                    # the client of MySQL and MariaDB, in its engine module only
add_library(ward::json INTERFACE IMPORTED)             # nlohmann/json, header only, behind json/
add_library(ward::expected INTERFACE IMPORTED)         # tl::expected: std::expected is absent in C++20 mode
# HTTP for those who ask us: Beast and Asio, header only, in the module ward_listen.so only. 1.81, since 1.74 is no C++20 with g++ 12.
find_package(Boost 1.81 REQUIRED)
add_library(ward::boost INTERFACE IMPORTED)
target_include_directories(ward::boost SYSTEM INTERFACE ${Boost_INCLUDE_DIRS})
target_compile_definitions(ward::boost INTERFACE BOOST_ASIO_NO_DEPRECATED BOOST_ASIO_SEPARATE_COMPILATION BOOST_BEAST_SEPARATE_COMPILATION)
target_link_libraries(ward::boost INTERFACE Threads::Threads)
if(WARD_SANITIZE STREQUAL thread AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  target_compile_options(ward::boost INTERFACE -Wno-tsan)  # Asio's fences, which ThreadSanitizer does not see: g++ warns of each
endif()
