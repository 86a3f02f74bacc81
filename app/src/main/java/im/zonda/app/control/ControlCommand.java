package im.zonda.app.control;

import java.io.IOException;
import java.util.List;

/// A command of the administrator that the running server carries out, such as `status`.
@FunctionalInterface
public interface ControlCommand {
  /// Runs the command. May block. Several may run at a time.
  ///
  /// @return the text to print, at most 1 MiB
  /// @throws IllegalArgumentException if the arguments are wrong; the administrator sees its
  ///   message
  /// @throws NotApplicableException if the server does not have what the command is for
  /// @throws IOException if the command failed; the administrator sees what went wrong
  String run(List<String> arguments) throws IOException;
}
