# A thin front to CMake and the scripts. Everything is built below build/.

PREFIX ?= /usr/local
# Where the Python package goes, absolute or below PREFIX; empty: where the system's Python looks.
PYTHON_DIR ?=
# make tsan: only these test programs, such as "test_threads experiment_test_play"; empty: all tests.
PROGRAMS ?=
# make fuzz: processor time for each target, the targets ("" for all), and the fuzzer: libfuzzer or afl.
SECONDS ?= 60
TARGET ?=
FUZZER ?= libfuzzer
export CMAKE_BUILD_PARALLEL_LEVEL ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)

.PHONY: $(shell sed -n 's/^\([a-z-]*\):.*\#\# .*/\1/p' Makefile)

fuzz_preset = $(if $(filter afl,$(FUZZER)),fuzz-afl,fuzz)

build: ## build libraries, program and man pages in build/release (the default)
	@scripts/setup.sh --check demo
	@cmake --preset release -DGLIMPSE_PYTHON_DIR="$(PYTHON_DIR)" >/dev/null
	@cmake --build --preset release --target product

help: ## show this list
	@sed -n 's/^\([a-z-]*\):.*## /  make \1 - /p' Makefile

demo: ## build, and watch a robot plan whether to ask and what to do
	@scripts/setup.sh demo
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target product
	@scripts/demo.sh

page: ## build the planner as a web page, one HTML file
	@scripts/setup.sh page
	@scripts/page.sh

page-test: page ## test the page in Chromium
	@scripts/setup.sh --check demo
	@scripts/setup.sh browser
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target glimpse_program
	@scripts/cli-test.sh build/page/test tests/cli/page.sh build/release/glimpse

test: ## build with warnings as errors, and run all tests
	@scripts/setup.sh test
	@if scripts/setup.sh page browser; then scripts/page.sh || [ $$? = 77 ]; else echo "The page is not built, and its tests are skipped."; fi
	@cmake --preset release -DGLIMPSE_WERROR=ON -DGLIMPSE_BUILD_TESTS=ON >/dev/null
	@cmake --build --preset release --target all benches
	@scripts/run-tests.sh build/release

bench: ## run the benchmarks
	@scripts/setup.sh demo
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target benches
	@set -e; for bench in build/release/bench/bench_*; do \
	  echo "== $${bench##*/}"; "$$bench"; done

soak: ## 100,000 steps of an agent with its graph kept and its memory limited, and a figure of them
	@scripts/setup.sh demo
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target soak
	@scripts/soak.sh build/release/bench/soak

sanitize: ## all tests under the address and undefined-behaviour sanitizers of gcc and clang
	@scripts/setup.sh sanitize
	@set -e; for preset in asan-gcc asan-clang; do \
	  cmake --preset $$preset >/dev/null; cmake --build --preset $$preset; \
	  scripts/run-tests.sh build/$$preset; done

tsan: ## all tests under the thread sanitizer; PROGRAMS="test_threads ...": only these
	@scripts/setup.sh tsan
	@cmake --preset tsan >/dev/null
	@cmake --build --preset tsan $(if $(PROGRAMS),--target $(PROGRAMS))
	@scripts/run-tests.sh build/tsan $(if $(PROGRAMS),-R \
	  "^($$(echo $(PROGRAMS) | sed 's/\(^\| \)test_/\1/g; s/_test_/-/g; s/ /|/g'))\$$")

valgrind: ## all tests under valgrind
	@scripts/setup.sh valgrind
	@cmake --preset valgrind >/dev/null
	@cmake --build --preset valgrind
	@scripts/run-tests.sh build/valgrind

coverage: ## all tests, and which lines and branches they execute: above 95 % of the library's
	@scripts/setup.sh coverage
	@cmake --preset coverage >/dev/null
	@cmake --build --preset coverage
	@find build/coverage -name '*.gcda' -delete
	@scripts/run-tests.sh build/coverage
	@scripts/coverage.py build/coverage

mutate: ## break the library in small ways, and count how many the tests notice (half an hour)
	@scripts/setup.sh test
	@scripts/mutate.py

fuzz: ## feed the targets of tests/fuzz; SECONDS=60 each, TARGET="pomdp agent ...", FUZZER=libfuzzer|afl
	@scripts/setup.sh fuzz
	@cmake --preset $(fuzz_preset) >/dev/null
	@cmake --build --preset $(fuzz_preset)
	@scripts/fuzz.sh build/$(fuzz_preset) $(SECONDS) $(TARGET)

analyse: ## static analysis by cppcheck, clang-tidy, gcc and shellcheck
	@scripts/setup.sh analyse
	@scripts/analyse.sh

format: ## lay out the sources with clang-format
	@scripts/setup.sh format
	@find include src common xml experiment tool page tests bench examples -name '*.[ch]' -o -name '*.cpp' | xargs -r clang-format -i

format-check: ## fail if "make format" would change something
	@scripts/setup.sh format
	@find include src common xml experiment tool page tests bench examples -name '*.[ch]' -o -name '*.cpp' | \
	  xargs -r clang-format --dry-run --Werror

faults: ## the program with each allocation, each system call and small limits failing (an hour)
	@scripts/setup.sh test
	@cmake --preset release -DGLIMPSE_WERROR=ON -DGLIMPSE_BUILD_TESTS=ON >/dev/null
	@cmake --build --preset release --target glimpse_faults test_starved
	@set -e; for kind in memory system limits; do \
	  FAULTS=all build/release/tests/glimpse_faults build/release/faults $$kind; done
	@FAULTS=all build/release/tests/test_starved

dist: ## make the source archive, build/dist/glimpse-VERSION.tar.gz
	@scripts/setup.sh dist
	@scripts/python_backend.py dist build/dist

wheel: ## make a wheel of the Python package with the library inside, in build/dist
	@scripts/setup.sh wheel
	@scripts/python_backend.py wheel build/dist

amalgamation: ## write the library as one file, build/amalgamation/glimpse.c and glimpse.h
	@scripts/setup.sh amalgamation
	@scripts/amalgamate.py build/amalgamation
	@echo build/amalgamation/glimpse.c build/amalgamation/glimpse.h

abi: ## does the library fit programs that were linked with the last release?
	@scripts/setup.sh abi
	@scripts/abi.sh

deb: ## build the Debian packages with their tests, in build/deb; lintian looks at them
	@scripts/setup.sh deb
	@scripts/deb.sh

docs: ## write docs/COMMANDS.md, which the program prints
	@scripts/setup.sh --check demo
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target docs

install: build ## install below PREFIX (/usr/local); DESTDIR is honoured; PYTHON_DIR: for the Python package
	@cmake --install build/release --prefix "$(PREFIX)"

clean: ## remove everything that was built
	rm -rf build
