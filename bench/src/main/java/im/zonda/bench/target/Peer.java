package im.zonda.bench.target;

import java.io.IOException;
import java.util.List;

/// A server of another project, and how it is started.
interface Peer {
  /// The name, as `--server` has it.
  String name();

  /// The version; empty if the program does not say it.
  ///
  /// @throws IOException if it is not installed
  String version() throws IOException;

  /// Writes the settings.
  ///
  /// @return the program with its words
  /// @throws IOException if it is not installed
  ProcessBuilder prepare(PeerPlace place) throws IOException;

  /// What is usual here and not so elsewhere, for the result.
  List<String> notes();
}
