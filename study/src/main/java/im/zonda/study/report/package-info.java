/// The results of the study for people: beside those of the document, in sentences and in tables.
@NullMarked
package im.zonda.study.report;

import org.jspecify.annotations.NullMarked;
