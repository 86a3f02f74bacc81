/// Scenarios: conversations between clients and server, written as text.
@NullMarked
package im.zonda.testkit.scenario;

import org.jspecify.annotations.NullMarked;
