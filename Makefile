# The front door. `make demo` and `make test` are all a newcomer needs; the rest is for developers.
# Each command installs what it lacks (Debian or Ubuntu, as root or with sudo) and nothing else.

BUILD := build
JOBS ?= $(shell nproc 2>/dev/null || echo 2)

.PHONY: all build demo studio studio-test studio-pictures test ci ci-long bench quality quality-long judges fuzz coverage lint format docs pictures wasm core install clean help

all: build

build:
	@scripts/deps.sh build
	@scripts/build.sh release -DSINEW_TESTS=OFF

demo:
	@scripts/deps.sh build film
	@scripts/build.sh release -DSINEW_TESTS=OFF
	@$(BUILD)/sinew demo -o out

test:
	@scripts/deps.sh build test
	@scripts/build.sh release -DSINEW_TESTS=ON
	@scripts/test.sh $(BUILD) $(JOBS)

ci:
	@.ci/run

# What does not fit into .ci/run: an hour of fuzzing, every compiler with every test.
ci-long:
	@scripts/ci_long.sh

bench:
	@scripts/deps.sh build
	@scripts/build.sh release -DSINEW_TESTS=OFF
	@$(BUILD)/bench/sinew_bench

# Automatic weights against those of artists, and figures with known answers; needs the characters (SINEW_DATA_DIR) and says so.
quality:
	@scripts/deps.sh build test quality
	@scripts/build.sh release
	@scripts/quality.py

# What every tuned number and rule of binding is worth, by leaving families out; takes an hour, and goes on where it was stopped.
quality-long:
	@scripts/deps.sh build test quality
	@scripts/build.sh tuning
	@scripts/quality_long.py

# What other programs show of files that Sinew writes (three.js, Blender, Godot 3), against the points it computed.
judges:
	@scripts/deps.sh build node browser judges
	@npm ci --no-audit --no-fund --silent
	@scripts/build.sh release
	@node scripts/judges.mjs

# make fuzz SECONDS=600 TARGET=fuzz_glb
fuzz:
	@scripts/deps.sh build fuzz
	@scripts/fuzz.sh $(or $(SECONDS),300) $(TARGET)

coverage:
	@scripts/deps.sh build test coverage
	@scripts/coverage.sh

lint:
	@scripts/deps.sh build test lint
	@scripts/lint.sh

format:
	@scripts/deps.sh lint
	@scripts/format.sh

# The reference of the library, from its headers: out/reference/index.html.
docs:
	@scripts/deps.sh docs
	@mkdir -p out && rm -rf out/reference && doxygen docs/Doxyfile
	@scripts/api_page.py
	@echo "out/reference/index.html"

# Every picture of README.md and docs/ but those of the studio (studio-pictures).
pictures:
	@scripts/deps.sh build film
	@scripts/build.sh release -DSINEW_TESTS=OFF
	@scripts/pictures.sh

# The studio, a folder for any host: studio/dist. `build/sinew studio` opens it here.
studio:
	@scripts/deps.sh build fbx node
	@scripts/studio.sh
	@scripts/build.sh release -DSINEW_TESTS=OFF

studio-test: studio
	@scripts/deps.sh browser
	@scripts/studio_test.sh long

studio-pictures: studio
	@scripts/deps.sh browser film
	@scripts/studio_pictures.sh

wasm:
	@scripts/deps.sh build wasm
	@LINK= tests/golden/wasm.sh .

# The library for pages and Node.js, in studio/core/dist.
core:
	@scripts/deps.sh build fbx
	@scripts/studio_core.sh threads
	@scripts/studio_fbx.sh || [ $$? -eq 77 ]
	@studio/core/test.sh .

install: build
	@cmake --install $(BUILD)

clean:
	rm -rf build build-* out

help:
	@echo "make demo       build and show the built-in character: out/demo.glb, out/demo.mp4, out/demo.png"
	@echo "make test       build and run all tests"
	@echo "make studio     build the studio; build/sinew studio opens it in a browser"
	@echo "make            build only; the program is build/sinew"
	@echo "make install    install headers, libraries and the program"
	@echo "make bench | quality | quality-long | judges | fuzz | coverage | lint | format | docs | pictures | wasm | core | ci | ci-long | clean"
