/// Programs that measure the stores; the decisions quote their figures.
@NullMarked
package im.zonda.storage.sql.measurement;

import org.jspecify.annotations.NullMarked;
