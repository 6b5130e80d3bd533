#!/bin/sh
cd "$(dirname "$0")" || exit 1
exec parallel --retries 3 --timeout 1920 --joblog joblog.tsv --results logs/parallel --jobs 0 sh {} :::: tasks.txt
