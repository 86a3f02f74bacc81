/// A reader of XML that shares no code with the server.
@NullMarked
package im.zonda.testkit.xml;

import org.jspecify.annotations.NullMarked;
