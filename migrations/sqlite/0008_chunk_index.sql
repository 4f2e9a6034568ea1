-- Text index of chunks in another form: each distinct term once, prefixed with a letter for its
-- share of the chunk (src/search/lexical/impacts.ts). Without positions and lengths it has less
-- than a quarter of the size. The next start fills it from the chunks (src/documents/reindex.ts).
drop table chunks_vocabulary;
drop table chunks_fts;
create virtual table chunks_fts using fts5 (
  terms, tags,
  content = '', columnsize = 0, detail = none,
  -- Terms are separated by spaces and otherwise hold no ASCII but letters and digits.
  tokenize = 'ascii'
);
insert into chunks_fts (chunks_fts, rank) values ('automerge', 0);
create virtual table chunks_vocabulary using fts5vocab (chunks_fts, row);

-- Data for scoring indexed chunks, without their text: with the text, a row was so long that a page
-- contained one.
create table chunk_terms (
  -- The chunk's number.
  seq integer primary key,
  project integer not null,
  version integer not null,
  position integer not null,
  -- Its terms with their counts (src/search/term_counts.ts).
  terms blob not null
) strict;
alter table chunks drop column terms;
