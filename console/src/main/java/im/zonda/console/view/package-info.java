/// The look of the console: templates, texts, and what they show.
@NullMarked
package im.zonda.console.view;

import org.jspecify.annotations.NullMarked;
