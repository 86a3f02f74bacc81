/// Administration at the homes of accounts and for the host as a whole. What concerns an account is
/// done at its home, on whatever node of a cluster it is, by requests of the server to itself
/// (`AccountTasks`). What administrators set for the host is stored with its domain
/// (`HostSettings`).
@NullMarked
package im.zonda.module.admin.home;

import org.jspecify.annotations.NullMarked;
