-- Operations and events are listed by their creation, because an import adds older ones. The index
-- has a separate range for each kind in each state, so that any filter reads only its results, and
-- the few tasks that wait, have failed or warn are counted without reading the completed ones.
drop index tasks_of_project;
create index tasks_newest on tasks (project, kind, status, created_at, id);
create index tasks_with_error on tasks (project, updated_at) where error is not null;
