-- Memories are listed in the order of their times. An import appends them with the times that they
-- have at their source.
drop index memories_of_user;
drop index memories_of_agent;
drop index memories_of_run;
create index memories_of_user on memories (project, user_id, created_at, id)
  where user_id is not null;
create index memories_of_agent on memories (project, agent_id, created_at, id)
  where agent_id is not null;
create index memories_of_run on memories (project, run_id, created_at, id)
  where run_id is not null;

-- The latest change in a scope, for its counter. Adds don't write these indexes.
create index changed_memories_of_user on memories (project, user_id, updated_at)
  where user_id is not null and updated_at <> created_at;
create index changed_memories_of_agent on memories (project, agent_id, updated_at)
  where agent_id is not null and updated_at <> created_at;
create index changed_memories_of_run on memories (project, run_id, updated_at)
  where run_id is not null and updated_at <> created_at;
