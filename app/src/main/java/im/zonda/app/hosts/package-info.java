/// Virtual hosts and settings that change while the server runs: `zonda config reload` and `zonda
/// host`.
@NullMarked
package im.zonda.app.hosts;

import org.jspecify.annotations.NullMarked;
