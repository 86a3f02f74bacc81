/// Bookmarks: PEP native bookmarks (XEP-0402) kept in step with those of XEP-0048, in
/// publish-subscribe and in private XML storage.
@NullMarked
package im.zonda.module.bookmarks;

import org.jspecify.annotations.NullMarked;
