/// What `zonda database` prints.
@NullMarked
package im.zonda.app.database;

import org.jspecify.annotations.NullMarked;
