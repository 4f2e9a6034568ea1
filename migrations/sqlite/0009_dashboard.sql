-- Tables of the dashboard: sessions and hourly activity.

create table dashboard_sessions (
  hash text primary key,
  expires_at text not null
) strict, without rowid;

-- Counters per hour (`2026-03-01T17`), written behind: changes are counted from the journal,
-- searches as they happen.
create table activity (
  project integer not null,
  hour text not null,
  kind text not null,
  count integer not null,
  primary key (project, hour, kind)
) strict, without rowid;
create index activity_by_age on activity (hour);

-- Number of the last journal entry that was counted.
create table activity_position (
  only_row integer primary key check (only_row = 1),
  seq integer not null
) strict;
insert into activity_position values (1, 0);
