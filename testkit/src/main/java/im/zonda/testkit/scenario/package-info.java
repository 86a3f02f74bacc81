/// Dialogues written as text: who sends what, who receives what.
@NullMarked
package im.zonda.testkit.scenario;

import org.jspecify.annotations.NullMarked;
