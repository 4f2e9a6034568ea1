-- Sources, their immutable versions, and the chunks by which they are found and cited.

create table document_versions (
  -- The order of writing.
  seq integer primary key autoincrement,
  project integer not null references projects (number),
  id text not null,
  source_key text not null,
  -- Exactly one version of a source is its head.
  is_head integer not null check (is_head in (0, 1)),
  content_hash text not null,
  version_hash text not null,
  title text not null,
  mime_type text not null,
  source_uri text,
  user_id text,
  agent_id text,
  run_id text,
  metadata text not null,
  size_bytes integer not null,
  chunks integer not null,
  -- Terms of all its chunks, headings included; search weighs a chunk by its length.
  terms integer not null,
  -- What cut the chunks; they are a function of content, chunked_as and this.
  chunker_version integer not null,
  chunked_as text not null,
  created_at text not null
) strict;
create unique index document_versions_by_id on document_versions (project, id);
create unique index document_heads on document_versions (project, source_key) where is_head = 1;
create index document_versions_of_source on document_versions (project, source_key, seq);
create index document_heads_newest on document_versions (project, seq) where is_head = 1;
create index document_heads_of_user on document_versions (project, user_id, seq)
  where is_head = 1 and user_id is not null;
create index document_heads_of_agent on document_versions (project, agent_id, seq)
  where is_head = 1 and agent_id is not null;
create index document_heads_of_run on document_versions (project, run_id, seq)
  where is_head = 1 and run_id is not null;

-- Separate from the versions, so that listing versions does not read megabytes of text.
create table document_contents (
  version integer primary key,
  project integer not null,
  content text not null
) strict;

create table chunks (
  -- The row's number in the text index.
  seq integer primary key autoincrement,
  project integer not null,
  version integer not null,
  position integer not null,
  start_byte integer not null,
  end_byte integer not null,
  heading_path text not null,
  -- Its terms with their counts (src/search/term_counts.ts), for scoring without reading text.
  terms blob not null,
  -- A copy of its part of the content: a hit is read without the megabyte around it.
  content text not null
) strict;
create unique index chunks_of_version on chunks (version, position);

-- Text index of the chunks of heads.
create virtual table chunks_fts using fts5 (
  heading, text, tags,
  content = '', columnsize = 1,
  tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* Co'"
);
-- Segments are merged in separate steps, not by the ingest that happens to write the fourth one.
insert into chunks_fts (chunks_fts, rank) values ('automerge', 0);
create virtual table chunks_vocabulary using fts5vocab (chunks_fts, row);

-- Versions that are no longer heads or were deleted, while their chunks are still in the text
-- index, and versions that were written ahead of their row. No query shows them. They are removed a
-- few chunks at a time, unless they become heads.
create table retired_versions (
  version integer primary key,
  project integer not null,
  -- Chunks that are still in the index: those before this position.
  indexed integer not null,
  -- 1: the version was deleted, its content and chunks go too.
  deleted integer not null check (deleted in (0, 1)),
  -- What the index was told of every chunk of the version, beside the chunk.
  title text not null,
  tags text not null
) strict;

-- Totals of a project, updated with each change so that no query has to count.
create table document_totals (
  project integer primary key,
  sources integer not null,
  chunks integer not null,
  terms integer not null
) strict;
