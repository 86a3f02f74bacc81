/// What the caches spare the database, counted on a whole server.
@NullMarked
package im.zonda.app.caches;

import org.jspecify.annotations.NullMarked;
