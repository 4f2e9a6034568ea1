-- Uploaded files before they become documents, and files that are still to be deleted.

create table source_assets (
  -- The order of creation.
  seq integer primary key autoincrement,
  project integer not null references projects (number),
  id text not null,
  operation_id text not null,
  status text not null check (status in
    ('awaiting_upload', 'uploaded', 'queued', 'processing', 'ready', 'failed', 'cancelled')),
  source_key text not null,
  filename text not null,
  title text not null,
  content_type text not null,
  size_bytes integer not null,
  -- What the client said that the bytes are; null when it said nothing.
  declared_sha256 text,
  -- What the stored bytes are, and so the name of their blob; null until they are there.
  sha256 text,
  user_id text,
  agent_id text,
  run_id text,
  metadata text not null,
  -- The Markdown that was extracted: its id, its blob, and what made it.
  artifact_id text,
  artifact_sha256 text,
  extractor text,
  extractor_version text,
  page_count integer,
  document_id text,
  error text,
  created_at text not null,
  updated_at text not null
) strict;
create unique index source_assets_by_id on source_assets (project, id);
create unique index source_assets_by_operation on source_assets (project, operation_id);
create index source_assets_of_document on source_assets (project, document_id)
  where document_id is not null;
create index source_assets_unfinished on source_assets (status, updated_at)
  where status in ('awaiting_upload', 'uploaded', 'failed', 'cancelled');

-- Deleted uploads whose files can still be on the disk.
create table upload_leftovers (
  project integer not null,
  asset_id text not null,
  -- JSON: names of blobs.
  hashes text not null,
  primary key (project, asset_id)
) strict, without rowid;
