/// Export of one account as a document (XEP-0227), for the page of its owner.
@NullMarked
package im.zonda.module.export;

import org.jspecify.annotations.NullMarked;
