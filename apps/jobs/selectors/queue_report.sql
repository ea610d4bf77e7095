-- The queue by kind of job: rows now, and what became of runs lately.
--
-- :rate      seconds over which rates are measured
-- :retention seconds for which runs are counted

WITH queue AS (
    SELECT kind,
        count(*) FILTER (WHERE state = 'due' AND started_at IS NULL AND due_at <= statement_timestamp()) AS waiting,
        count(*) FILTER (WHERE state = 'due' AND started_at IS NULL AND due_at > statement_timestamp()) AS later,
        count(*) FILTER (WHERE state = 'due' AND started_at IS NOT NULL) AS running,
        count(*) FILTER (WHERE state = 'due' AND last_error <> '') AS retried,
        count(*) FILTER (WHERE state = 'dead') AS failed,
        count(DISTINCT workspace_id) FILTER (WHERE last_error <> '') AS failing_workspaces,
        bool_or(workspace_id IS NULL AND last_error <> '') AS is_installation_failing,
        min(due_at) FILTER (WHERE state = 'dead') AS retry_at,
        sum(waiting)::bigint AS items_waiting,
        coalesce(mode() WITHIN GROUP (ORDER BY last_error) FILTER (WHERE state = 'dead'),
            mode() WITHIN GROUP (ORDER BY last_error) FILTER (WHERE last_error <> '')) AS error
    FROM jobs_duejob GROUP BY kind
), counts AS (
    SELECT kind,
        sum(finished)::bigint AS finished, sum(failed)::bigint AS failed, sum(done)::bigint AS done,
        sum(finished) FILTER (WHERE is_recent)::float * 60 / :rate AS finished_per_minute,
        sum(done) FILTER (WHERE is_recent)::float * 60 / :rate AS items_per_minute
    FROM jobs_jobtally
    CROSS JOIN LATERAL (SELECT at > statement_timestamp() - make_interval(secs => :rate) AS is_recent) AS age
    WHERE at > statement_timestamp() - make_interval(secs => :retention)
    GROUP BY kind
)
SELECT kind,
    coalesce(queue.waiting, 0) AS waiting, coalesce(queue.later, 0) AS later, coalesce(queue.running, 0) AS running,
    coalesce(queue.retried, 0) AS retried, coalesce(queue.failed, 0) AS failed,
    coalesce(queue.failing_workspaces, 0) AS failing_workspaces,
    CASE WHEN queue.is_installation_failing THEN 1
        ELSE coalesce(queue.failing_workspaces, 0) / greatest(workspaces.count, 1)::float END AS failing_share,
    queue.retry_at, queue.items_waiting, coalesce(queue.error, '') AS error,
    coalesce(counts.finished, 0) AS recently_finished, coalesce(counts.failed, 0) AS recently_failed,
    coalesce(counts.done, 0) AS recently_done,
    coalesce(counts.finished_per_minute, 0) AS finished_per_minute,
    coalesce(counts.items_per_minute, 0) AS items_per_minute
FROM queue FULL JOIN counts USING (kind)
CROSS JOIN (SELECT count(*) FROM accounts_workspace) AS workspaces
ORDER BY kind
