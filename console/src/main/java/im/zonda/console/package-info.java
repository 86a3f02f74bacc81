/// The admin console at `/admin/`.
///
/// It stands on the operations (`im.zonda.operation`): pages have no other way to read or change
/// anything, so a page shows and does what its reader may, and what is done is in the audit. Pages
/// are HTML from templates (`src/main/jte`) and work without scripts; a few small modules of
/// JavaScript make them live. Nothing is loaded before the first request.
@NullMarked
package im.zonda.console;

import org.jspecify.annotations.NullMarked;
