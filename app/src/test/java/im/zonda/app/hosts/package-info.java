/// Virtual hosts: what changes while the server runs, and what accounts of different hosts see of
/// each other.
@NullMarked
package im.zonda.app.hosts;

import org.jspecify.annotations.NullMarked;
