package im.zonda.app.settings;

import im.zonda.app.settings.toml.TomlString;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The settings of a virtual host that is added by command.
///
/// @param contact its contact addresses; the server's if empty
/// @param modulesOff modules that are not loaded; as for the server if empty
/// @param registration whether anyone may create an account; null as for the server
/// @param roomAdmins who administers its rooms; as for the server if empty
/// @param certificate its certificate, or null
/// @param key its private key, or null
public record NewHost(
    List<String> contact,
    List<String> modulesOff,
    @Nullable Boolean registration,
    List<String> roomAdmins,
    @Nullable Path certificate,
    @Nullable Path key) {
  /// The content of the host's file ([HostFiles]).
  public String toToml() {
    StringBuilder out = new StringBuilder("# The keys are those of [host.\"…\"]; see");
    out.append(" docs/reference/config.md.\n# ./zonda config reload takes over changes.\n");
    list(out, "contact", contact);
    list(out, "modules-off", modulesOff);
    if (registration != null) {
      out.append("\n[registration]\nenabled = ").append(registration).append('\n');
    }
    if (!roomAdmins.isEmpty()) {
      out.append("\n[rooms]\n");
      list(out, "admins", roomAdmins);
    }
    if (certificate != null || key != null) {
      out.append("\n[tls]\n");
      path(out, "certificate", certificate);
      path(out, "key", key);
    }
    return out.toString();
  }

  private static void list(StringBuilder out, String key, List<String> values) {
    if (!values.isEmpty()) {
      String written = values.stream().map(TomlString::quoted).collect(Collectors.joining(", "));
      out.append(key).append(" = [").append(written).append("]\n");
    }
  }

  private static void path(StringBuilder out, String key, @Nullable Path path) {
    if (path != null) {
      String absolute = path.toAbsolutePath().normalize().toString();
      out.append(key).append(" = ").append(TomlString.quoted(absolute)).append('\n');
    }
  }
}
