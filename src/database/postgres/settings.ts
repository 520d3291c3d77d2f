/**
 * Settings of a private cluster for a small appliance: little memory at rest, no compromise on
 * durability. Written to its postgresql.conf once; the operator may change them afterward.
 */
export const clusterSettings = `
# imgstore: set once when the cluster was created. Yours to change; imgstore keeps your changes.
max_connections = 60
shared_buffers = 64MB            # touched pages only count; raise it with the data
work_mem = 8MB
maintenance_work_mem = 64MB
effective_cache_size = 1GB
random_page_cost = 1.1           # solid-state disks
jit = off                        # short statements: compiling costs more than it saves
max_wal_size = 1GB
wal_compression = on
autovacuum_max_workers = 2
dynamic_shared_memory_type = mmap  # containers have a /dev/shm of 64 MB
timezone = 'UTC'
log_timezone = 'UTC'
log_checkpoints = off
log_line_prefix = '%m [%p] '
fsync = on
synchronous_commit = on
full_page_writes = on
`;
