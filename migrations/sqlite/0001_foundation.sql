-- Projects, keys, canonical memories with their history, journal, idempotency and the task queue.
-- Keys of application records begin with the project number, so a query that omits the project
-- can't reach the records of another application.

create table meta (
  name text primary key,
  value text not null
) strict, without rowid;

create table projects (
  number integer primary key autoincrement,
  id text not null unique,
  name text not null unique,
  derivation integer not null default 1 check (derivation in (0, 1)),
  -- Set when the project is being purged: it answers to nobody any more.
  deleted_at text,
  created_at text not null
) strict;

create table api_keys (
  id text primary key,
  project integer not null references projects (number),
  name text not null,
  prefix text not null,
  hash text not null unique,
  permissions text not null,
  created_at text not null,
  last_used_at text
) strict, without rowid;
create index api_keys_of_project on api_keys (project, id);

create table memories (
  -- The order of writing, and the row's number in the text index.
  seq integer primary key autoincrement,
  project integer not null references projects (number),
  id text not null,
  user_id text,
  agent_id text,
  run_id text,
  memory_type text not null,
  importance real not null,
  created_at text not null,
  updated_at text not null,
  event_date text,
  valid_from text,
  valid_to text,
  -- Memories told one after the other (the messages of one add, the adds of one run) share a
  -- thread and stand in it by position: what was said around a memory helps to find it.
  thread integer,
  position integer,
  -- Sorted 32-bit hashes of the distinct terms of the text, for scoring without reading it.
  terms blob not null,
  memory text not null,
  metadata text
) strict;
create unique index memories_by_id on memories (project, id);
create index memories_of_user on memories (project, user_id) where user_id is not null;
create index memories_of_agent on memories (project, agent_id) where agent_id is not null;
create index memories_of_run on memories (project, run_id) where run_id is not null;
create index memories_in_thread on memories (project, thread, position) where thread is not null;

create virtual table memories_fts using fts5 (
  text, tags,
  content = '', columnsize = 0,
  tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* Co'"
);
create virtual table memories_vocabulary using fts5vocab (memories_fts, row);

-- Totals of every scope, updated with each change so that lists and limits need no scan. The row
-- with type 'project' counts the whole project.
create table scope_totals (
  project integer not null,
  type text not null check (type in ('project', 'user', 'agent', 'run')),
  id text not null,
  total_memories integer not null,
  created_at text not null,
  updated_at text not null,
  primary key (project, type, id)
) strict, without rowid;
create index scope_totals_newest on scope_totals (project, created_at, type, id);

create table memory_history (
  seq integer primary key autoincrement,
  project integer not null,
  id text not null,
  memory_id text not null,
  event text not null check (event in ('ADD', 'UPDATE', 'DELETE', 'INVALIDATE', 'FEEDBACK')),
  old_memory text,
  new_memory text,
  changes text,
  feedback text,
  source text not null,
  request_id text,
  created_at text not null
) strict;
create index memory_history_of_memory on memory_history (project, memory_id);

create table memory_feedback (
  project integer not null,
  memory_id text not null,
  id text not null,
  rating text not null check (rating in ('positive', 'negative', 'very_negative')),
  reason text,
  request_id text,
  created_at text not null,
  primary key (project, memory_id)
) strict, without rowid;

-- Number and time of reads of each memory. Written behind: the last seconds can be missing.
create table memory_access (
  project integer not null,
  memory_id text not null,
  count integer not null,
  last_at text not null,
  primary key (project, memory_id)
) strict, without rowid;

-- Every canonical change in order. Projections store their position in it.
create table journal (
  seq integer primary key autoincrement,
  project integer not null,
  kind text not null,
  record_id text not null,
  change text not null,
  at text not null
) strict;
create index journal_of_project on journal (project, seq);

create table idempotency (
  project integer not null,
  key text not null,
  command text not null,
  status integer not null,
  body text,
  created_at text not null,
  primary key (project, key)
) strict;
create index idempotency_by_age on idempotency (created_at);

create table tasks (
  seq integer primary key autoincrement,
  project integer not null,
  id text not null,
  kind text not null,
  status text not null,
  attempts integer not null default 0,
  max_attempts integer not null,
  -- The command as it was accepted; never leaves the queue.
  payload text not null,
  -- Scope fields of the command, safe to show.
  scope text not null default '{}',
  -- How far the work has come, written with each of its steps: a later attempt goes on from there.
  progress text,
  result text,
  -- The blob that holds the whole result, when it is too large for the row.
  result_blob text,
  error text,
  lease_token text,
  lease_expires_at text,
  boot_id text,
  crashes integer not null default 0,
  next_attempt_at text,
  started_at text,
  completed_at text,
  created_at text not null,
  updated_at text not null
) strict;
create unique index tasks_by_id on tasks (project, id);
create index tasks_of_project on tasks (project, kind, seq);
create index tasks_waiting on tasks (kind, seq) where status in ('pending', 'retry');
create index tasks_leased on tasks (lease_expires_at) where status in ('processing');

-- References from records to blobs. A file without a reference is deleted by the next sweep.
create table blob_names (
  project integer not null,
  -- The id of the record that needs the file.
  owner text not null,
  hash text not null,
  size integer not null,
  primary key (project, owner, hash)
) strict, without rowid;
create index blob_names_by_hash on blob_names (hash);

-- One-time links to the dashboard.
create table sign_in_tokens (
  hash text primary key,
  expires_at text not null
) strict, without rowid;
