/** The README of each room: short, and what it says of imports and files is so. */
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PYTHON_ROOMS, TYPESCRIPT_ROOMS } from '../../../scripts/rooms/order.mjs';
import { importsOf, sourcesIn } from '../../../scripts/rooms/sources.mjs';

const ROOT = join(__dirname, '..', '..', '..');
const LONGEST = 13;

interface Tree {
  readonly folder: string;
  readonly rooms: readonly string[];
  /** The rooms that each room imports. */
  readonly imports: ReadonlyMap<string, ReadonlySet<string>>;
}

function roomOf(path: string): string {
  return (path.split('/')[0] ?? '').replace(/\.(ts|py)$/, '');
}

function tree(folder: string, rooms: readonly string[], ending: string, targets: (path: string) => readonly string[]): Tree {
  const imports = new Map(rooms.map(room => [room, new Set<string>()]));
  for (const path of sourcesIn(join(ROOT, folder), ending)) {
    const room = roomOf(path);
    for (const target of targets(path).map(roomOf)) {
      if (target !== room && rooms.includes(target)) {
        imports.get(room)?.add(target);
      }
    }
  }
  return { folder, rooms, imports };
}

const TREES: readonly Tree[] = [
  tree('src', TYPESCRIPT_ROOMS, '.ts', path =>
    importsOf(ROOT, `src/${path}`, /(?:^|[^\w.])(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g).map(({ name }) =>
      posix.join(posix.dirname(path), name)
    )
  ),
  tree('bridge/dask_panes', PYTHON_ROOMS, '.py', path =>
    importsOf(ROOT, `bridge/dask_panes/${path}`, /^[ \t]*from[ \t]+(\.+\w*)/gm).map(({ name }) => {
      const dots = name.length - name.replace(/^\.+/, '').length;
      const up = path.split('/').slice(0, path.split('/').length - dots);
      return [...up, name.slice(dots)].join('/');
    })
  )
];

/** The rooms in a line of a README, such as "`charts`, `plot` and below." */
function named({ rooms }: Tree, room: string, text: string, label: string): ReadonlySet<string> {
  const line = new RegExp(`\\*\\*${label}\\*\\*: ([^]*?)(?:\\.\\s|\\.$)`).exec(text)?.[1] ?? '';
  const found = [...line.matchAll(/`([\w-]+)[^`]*`/g)].map(([, name = '']) => name).filter(name => rooms.includes(name));
  const last = rooms.indexOf(found[found.length - 1] ?? '');
  const below = line.includes('and below') ? rooms.slice(0, last) : [];
  const after = /every room/.test(line) ? rooms.slice(rooms.indexOf(room) + 1) : [];
  return new Set([...found, ...below, ...after]);
}

const all = TREES.flatMap(each =>
  each.rooms
    .filter(room => existsSync(join(ROOT, each.folder, room)))
    .map(room => ({ name: `${each.folder}/${room}`, room, tree: each, path: join(ROOT, each.folder, room, 'README.md') }))
);

describe.each(all)('$name', ({ room, tree: own, path }) => {
  const text = readFileSync(path, 'utf8');

  it('has a short page with a place to start', () => {
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(LONGEST);
    expect(text).toMatch(new RegExp(`^# ${room}\n`));
    expect(text).toContain('**Start with**: ');
  });

  it('names all rooms that it imports, and all that import it', () => {
    const importers = own.rooms.filter(other => own.imports.get(other)?.has(room));
    expect([...named(own, room, text, 'Imports')]).toEqual(expect.arrayContaining([...(own.imports.get(room) ?? [])]));
    expect([...named(own, room, text, 'Imported by')]).toEqual(expect.arrayContaining(importers));
  });

  it('names files that are there', () => {
    const folders = [join(path, '..'), join(path, '..', 'collector'), ROOT, join(ROOT, own.folder)];
    const files = [...text.matchAll(/`([\w-]+(?:\/[\w.-]+)*(?:\.\w+|\/))`/g)].map(([, file = '']) => file);
    // In brackets behind a folder, names are those of its files.
    const inside = [...text.matchAll(/`([\w-]+)\/` \(/g)].map(([, folder = '']) => join(path, '..', folder));
    expect(files.filter(file => ![...folders, ...inside].some(folder => existsSync(join(folder, file))))).toEqual([]);
  });
});
