/// The data of each version: a fixture that it has written, which the current one opens.
@NullMarked
package im.zonda.storage.sql.versions;

import org.jspecify.annotations.NullMarked;
