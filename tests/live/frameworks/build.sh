#!/usr/bin/env bash
# Builds the small sites that tests render, each with a real framework from the npm registry, and
# packs each into NAME.zip beside this script. It needs node and npm. SOURCES.md names what is in them.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$here/src/." "$work"
cd "$work"
npm init -y > /dev/null
npm install --silent --no-audit --no-fund --ignore-scripts \
  vite@6 esbuild react@18 react-dom@18 react-router-dom@6 vue@3 vue-router@4 \
  vitepress@1 docsify@4 jquery@3 datatables.net@2
npm rebuild --silent esbuild

npx vite build react --logLevel warn --emptyOutDir --outDir "$work/out/react"
npx vite build vue --logLevel warn --emptyOutDir --outDir "$work/out/vue"

for n in $(seq 14); do printf '# Chapter %s\n\nHow the office works, part %s.\n' "$n" "$n" > "vitepress/guide/chapter-$n.md"; done
for n in $(seq 8); do
  printf '# Table %s\n\nFigures of the office, table %s.\n\n<ClientOnly><Files id="table-%s" /></ClientOnly>\n' "$n" "$n" "$n" \
    > "vitepress/data/table-$n.md"
done
printf '# Handbook\n\n[Guide](/guide/chapter-1) and [data](/data/table-1)\n' > vitepress/index.md
npx vitepress build vitepress --outDir "$work/out/vitepress" > /dev/null

mkdir -p out/docsify out/datatables
cp docsify/index.html node_modules/docsify/lib/docsify.min.js out/docsify
printf '# Manual\n\n[All files](files.md), [the archive](/archive-1.html ":ignore")\n' > out/docsify/README.md
for n in $(seq 6); do
  printf '* [Part %s](part-%s.md)\n' "$n" "$n" >> out/docsify/_sidebar.md
  printf '# Part %s\n\n[a](/files/part-%s-a.csv ":ignore") [b](/files/part-%s-b.csv ":ignore")\n' "$n" "$n" "$n" > "out/docsify/part-$n.md"
done
printf '# All files\n\nSee the parts.\n' > out/docsify/files.md
for n in 1 2 3 4; do
  printf '<!doctype html><title>Archive</title><p>Older files. <a href="/archive-%s.html">next</a> <a href="/files/archive-%s.csv">file</a></p>\n' \
    $((n % 4 + 1)) "$n" > "out/docsify/archive-$n.html"
done

cp datatables/index.html node_modules/jquery/dist/jquery.min.js node_modules/datatables.net/js/dataTables.min.js out/datatables
for n in $(seq 5); do
  printf '<!doctype html><title>Notes</title><p>Notes of the office. <a href="/">Register</a></p>\n' > "out/datatables/page-$n.html"
done

find out -name '*.woff2' -delete
for name in react vue vitepress docsify datatables; do
  rm -f "$here/$name.zip"
  (cd "out/$name" && find . -type f -exec touch -d 2026-01-01 {} + && zip -q -X -9 -r "$here/$name.zip" .)
done
npm ls --depth=0 | tail -n +2
ls -l "$here"/*.zip
