/// The page of the study: four components over four tables, served by a whole server.
@NullMarked
package im.zonda.study.page;

import org.jspecify.annotations.NullMarked;
