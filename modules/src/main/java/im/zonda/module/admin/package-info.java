/// Administration of a host by ad-hoc commands (XEP-0133): `AdminModule` declares them; the classes
/// `…Commands` are groups of them. What concerns an account is done at its home, on whatever node
/// of a cluster it is, by requests of the server to itself (`AccountTasks`). What administrators
/// set for the host is stored with its domain (`HostSettings`).
@NullMarked
package im.zonda.module.admin;

import org.jspecify.annotations.NullMarked;
