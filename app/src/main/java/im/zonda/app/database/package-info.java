/// The output of `zonda database`.
@NullMarked
package im.zonda.app.database;

import org.jspecify.annotations.NullMarked;
