/// Profiles of Java processes, read from recordings of JDK Flight Recorder. Needs nothing but the
/// JDK: the server uses it, and so can what measures servers.
@NullMarked
package im.zonda.profile;

import org.jspecify.annotations.NullMarked;
