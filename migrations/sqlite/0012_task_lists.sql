-- Operations and events are listed by when they were made: an import brings older ones along. Each
-- kind in each state is a list of its own here, so that any filter reads only what it shows, and
-- the few tasks that wait, have failed or warn are counted without passing over those that are done.
drop index tasks_of_project;
create index tasks_newest on tasks (project, kind, status, created_at, id);
create index tasks_with_error on tasks (project, updated_at) where error is not null;
