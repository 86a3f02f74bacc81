package im.zonda.app.status;

import im.zonda.app.control.ControlCommand;
import java.util.List;
import java.util.function.Supplier;

/// `zonda status` in the running server. The argument is `text` or `json`.
///
/// @param source takes the status
public record StatusCommand(Supplier<ServerStatus> source) implements ControlCommand {
  /// The name of the command on the control socket.
  public static final String NAME = "status";

  @Override
  public String run(List<String> arguments) {
    ServerStatus status = source.get();
    return switch (String.join(" ", arguments)) {
      case "text" -> StatusText.of(status);
      case "json" -> StatusJson.of(status) + "\n";
      default -> throw new IllegalArgumentException("status is printed as text or json");
    };
  }
}
