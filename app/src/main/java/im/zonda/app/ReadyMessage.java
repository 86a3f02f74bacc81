package im.zonda.app;

import im.zonda.app.status.Version;
import im.zonda.config.ServerConfig;
import im.zonda.net.Listener;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The message that `zonda start` prints once the server is ready.
///
/// @param config the configuration
/// @param file the configuration file that the command line names, or null
/// @param listeners where connections are accepted
/// @param console a one-time link to the admin console, or null
/// @param warnings what is wrong with the certificates
record ReadyMessage(
    ServerConfig config,
    @Nullable Path file,
    List<Listener> listeners,
    @Nullable String console,
    List<String> warnings) {
  /// The text.
  ///
  /// @param seconds how long the start has taken
  String text(double seconds) {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(Locale.ROOT, "zonda %s is ready after %.2f s%n", Version.current(), seconds));
    if (config.http().isOn()) {
      line(text, "browsers", urls());
    }
    line(text, "hosts", String.join(", ", config.hosts()));
    line(text, "clients", addresses(Listener.Kind.STARTTLS) + " (STARTTLS)");
    line(text, "", addresses(Listener.Kind.DIRECT_TLS) + " (TLS)");
    if (config.s2s().enabled()) {
      line(text, "servers", addresses(Listener.Kind.SERVER) + " (STARTTLS)");
      line(text, "", addresses(Listener.Kind.SERVER_DIRECT_TLS) + " (TLS)");
    }
    if (!config.component().listen().isEmpty()) {
      line(text, "components", addresses(Listener.Kind.COMPONENT));
    }
    if (config.api().isOn()) {
      line(text, "programs", addresses(Listener.Kind.API) + " (HTTP)");
      line(text, "", addresses(Listener.Kind.API_TLS) + " (HTTPS)");
    }
    line(text, "data", config.data().toAbsolutePath().toString());
    String option = file == null ? "" : " --config " + file;
    line(text, "add users", "./zonda user add" + option + " NAME@" + config.hosts().getFirst());
    if (console != null) {
      line(text, "console", console);
      line(text, "", "(once, within 10 minutes; ./zonda admin link makes another one)");
    }
    warnings.forEach(each -> line(text, "warning", each));
    return text.toString();
  }

  /// The address for browsers on this machine, and the one for other machines.
  private String urls() {
    String local =
        listeners.stream()
            .filter(each -> each.kind() == Listener.Kind.HTTP)
            .map(each -> "http://" + each)
            .collect(Collectors.joining(", "));
    String published = config.http().url(config.hosts().getFirst());
    return local.isEmpty() ? published : local + " (" + published + ")";
  }

  private static void line(StringBuilder text, String name, String value) {
    text.append(String.format(Locale.ROOT, "  %-10s %s%n", name, value));
  }

  private String addresses(Listener.Kind kind) {
    String addresses =
        listeners.stream()
            .filter(listener -> listener.kind() == kind)
            .map(Listener::toString)
            .collect(Collectors.joining(", "));
    return addresses.isEmpty() ? "none" : addresses;
  }
}
