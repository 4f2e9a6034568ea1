-- Programs that connect by signing in (OAuth), and what a project's owner allowed them.

-- Programs that registered themselves. They belong to no project until an owner approves one.
create table oauth_clients (
  id text primary key,
  name text not null,
  -- JSON list of addresses that the browser may be sent back to.
  redirect_uris text not null,
  created_at text not null,
  -- When a connection was first approved. Registrations without one expire.
  used_at text
) strict, without rowid;
create index oauth_clients_unused on oauth_clients (created_at) where used_at is null;

create table connections (
  project integer not null references projects (number),
  id text not null,
  client_id text not null,
  client_name text not null,
  redirect_uri text not null,
  permissions text not null,
  -- Fixed scopes. Nothing outside them can be reached.
  user_id text,
  agent_id text,
  run_id text,
  -- URL of the MCP endpoint that the tokens are for.
  resource text not null,
  -- SHA-256 that the client's secret has to match when it redeems its code (PKCE).
  code_challenge text not null,
  status text not null check (status in ('approved', 'active', 'revoked', 'expired')),
  -- What ended the connection; null while it lasts.
  ended_by text,
  created_at text not null,
  last_used_at text,
  ended_at text,
  primary key (project, id)
) strict, without rowid;

-- Codes, access tokens and refresh tokens, only as hashes. Used ones stay until they expire, so
-- that a second use is noticed.
create table connection_tokens (
  project integer not null,
  connection_id text not null,
  hash text not null unique,
  kind text not null check (kind in ('code', 'access', 'refresh')),
  status text not null check (status in ('open', 'used')),
  permissions text not null,
  created_at text not null,
  expires_at text not null,
  primary key (project, connection_id, hash)
) strict, without rowid;
create index connection_tokens_by_expiry on connection_tokens (expires_at);

-- Who was given access, and how it ended. Project 0 is for events before a project is chosen.
create table audit_log (
  seq integer primary key autoincrement,
  project integer not null,
  event text not null,
  connection_id text,
  client_id text,
  details text not null,
  request_id text,
  at text not null
) strict;
create index audit_log_of_project on audit_log (project, seq);
create index audit_log_by_age on audit_log (at);
