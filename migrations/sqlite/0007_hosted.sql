-- Tables of the hosted variant: credits and webhooks.

-- Double entry: each row moves an amount between two accounts of a project and is never deleted.
create table credit_entries (
  seq integer primary key autoincrement,
  project integer not null references projects (number),
  -- What was used, or granted: the same for a replay and for a retry.
  identity text not null,
  entry text not null check (entry in ('grant', 'reserve', 'settle', 'refund', 'charge')),
  debit text not null check (debit in ('granted', 'available', 'reserved', 'spent')),
  credit text not null check (credit in ('granted', 'available', 'reserved', 'spent')),
  amount integer not null check (amount > 0),
  at text not null,
  check (debit <> credit)
) strict;
create index credit_entries_of_use on credit_entries (project, identity, seq);

-- Sums of the entries, updated with each of them so that a check reads one row.
create table credit_accounts (
  project integer primary key references projects (number),
  granted integer not null default 0,
  reserved integer not null default 0,
  spent integer not null default 0
) strict;

create table webhooks (
  project integer not null references projects (number),
  id text not null unique,
  url text not null,
  -- Signs what is sent; the receiver holds the same.
  secret text not null,
  -- The events that are wanted, as JSON.
  events text not null,
  status text not null default 'active' check (status in ('active', 'disabled')),
  created_at text not null,
  -- The journal entry up to which everything wanted was delivered.
  position integer not null,
  -- Attempts at the next entry that failed, since when, and when it is tried again.
  failures integer not null default 0,
  failing_since text,
  next_attempt_at text,
  last_delivery_at text,
  last_status text,
  primary key (project, id)
) strict, without rowid;
