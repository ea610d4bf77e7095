-- Claim due jobs in the order of priority, within the worker slots.
--
-- :slots     number of worker processes; at most so many jobs are in flight
-- :most      number of jobs to claim now
-- :lease     seconds for which a claim may wait for its worker
-- :aged      seconds after which background work has the priority of the next class, and again after as many
--
-- All but one slot may hold jobs that nobody waits for, and all but one those of a single workspace: a person's job
-- finds a free slot whatever the backlog, and no workspace can hold all workers. What a person asked for goes before
-- other background work if the workspace has nothing in flight; the rest of many imports shares with the turns of
-- others, and only upkeep comes after it.

WITH in_flight AS MATERIALIZED (
    SELECT workspace_id, count(*) AS jobs, count(*) FILTER (WHERE priority > 0) AS background
    FROM jobs_duejob
    WHERE state = 'due' AND lease_token IS NOT NULL AND lease_until >= statement_timestamp()
    GROUP BY workspace_id
), free AS MATERIALIZED (
    SELECT :slots - coalesce(sum(jobs), 0) AS slots, greatest(:slots - 1, 1) - coalesce(sum(background), 0) AS background
    FROM in_flight
), front AS MATERIALIZED (
    -- The head of each queue only, once for workspaces without a running job and once for the others, so that a
    -- backlog of one workspace hides nobody else's jobs.
    SELECT head.*
    FROM (VALUES (0), (1), (2), (3)) AS class (priority)
    CROSS JOIN (VALUES (false), (true)) AS share (is_busy)
    CROSS JOIN LATERAL (
        SELECT job.id, job.workspace_id, job.due_at, coalesce(in_flight.jobs, 0) AS jobs,
            least(job.priority, greatest(1, job.priority
                - floor(extract(epoch FROM statement_timestamp() - job.due_at) / :aged)::int)) AS priority
        FROM jobs_duejob AS job
        LEFT JOIN in_flight ON in_flight.workspace_id IS NOT DISTINCT FROM job.workspace_id
        WHERE job.state = 'due' AND job.priority = class.priority AND job.due_at <= statement_timestamp()
            AND (job.lease_until IS NULL OR job.lease_until < statement_timestamp())
            AND (in_flight.jobs IS NOT NULL) = share.is_busy
            AND coalesce(in_flight.jobs, 0) < greatest(:slots - 1, 1)
        ORDER BY job.due_at
        LIMIT 50
    ) AS head
), shared AS MATERIALIZED (
    SELECT id, priority, due_at,
        jobs + row_number() OVER (PARTITION BY workspace_id ORDER BY priority, due_at) AS place
    FROM front
), fair AS MATERIALIZED (
    SELECT id, place, due_at, CASE WHEN priority = 1 AND place > 1 THEN 2 ELSE priority END AS priority
    FROM shared
    WHERE place <= greatest(:slots - 1, 1)
), ranked AS MATERIALIZED (
    SELECT id, priority, place, due_at,
        row_number() OVER (PARTITION BY priority > 0 ORDER BY priority, place, due_at) AS number
    FROM fair
), chosen AS MATERIALIZED (
    SELECT ranked.id
    FROM ranked, free
    WHERE ranked.priority = 0 OR ranked.number <= free.background
    ORDER BY ranked.priority, ranked.place, ranked.due_at
    LIMIT (SELECT greatest(least(:most, slots), 0) FROM free)
), picked AS MATERIALIZED (
    SELECT id FROM jobs_duejob
    WHERE id IN (SELECT id FROM chosen) AND state = 'due' AND due_at <= statement_timestamp()
        AND (lease_until IS NULL OR lease_until < statement_timestamp())
    FOR UPDATE SKIP LOCKED
)
UPDATE jobs_duejob AS job
SET lease_token = gen_random_uuid(), lease_until = statement_timestamp() + make_interval(secs => :lease)
FROM picked
WHERE job.id = picked.id
RETURNING job.id AS job_id, job.lease_token AS token
