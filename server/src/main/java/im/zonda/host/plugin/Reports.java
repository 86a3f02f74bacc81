package im.zonda.host.plugin;

import im.zonda.config.ServerConfig;
import im.zonda.host.VirtualHost;
import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.stanza.Message;
import im.zonda.stanza.Namespaces;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Messages of a plugin to the administrators of hosts: the same text once a minute at most.
final class Reports {
  private static final Logger LOG = LoggerFactory.getLogger(Reports.class);
  private static final Duration PERIOD = Duration.ofMinutes(1);
  private static final int MOST_TEXTS = 100;
  private static final int MOST_CHARS = 2_000;
  private static final QName BODY = new QName(Namespaces.CLIENT, "body");

  private record Sent(Instant time, int held) {}

  private final String plugin;
  private final PluginSurroundings surroundings;

  // Guarded by this object's monitor; the oldest first.
  private final Map<String, Sent> sent = new LinkedHashMap<>();

  Reports(String plugin, PluginSurroundings surroundings) {
    this.plugin = plugin;
    this.surroundings = surroundings;
  }

  /// Sends a text, or counts it.
  void send(String host, String text) {
    String bounded = text.length() <= MOST_CHARS ? text : text.substring(0, MOST_CHARS) + "…";
    Integer times = take(host + " " + bounded);
    if (times == null) {
      return;
    }
    String said = times == 0 ? bounded : bounded + " (" + times + " times more)";
    LOG.atWarn()
        .addKeyValue("plugin", plugin)
        .addKeyValue("host", host)
        .addKeyValue("text", said)
        .log("plugin_reports");
    for (VirtualHost each : surroundings.server().hosts()) {
      if (each.domain().domain().equals(host)) {
        tell(each, said);
      }
    }
  }

  private void tell(VirtualHost host, String text) {
    for (String admin : administrators(host.config())) {
      Jid to = Jid.of(admin);
      surroundings
          .server()
          .router()
          .routes()
          .route(
              Envelope.of(
                  Message.of(
                      Message.Type.NORMAL,
                      host.domain(),
                      to,
                      surroundings.runtime().ids().next(),
                      List.of(Element.builder(BODY).text(plugin + ": " + text).build()))));
    }
  }

  private static List<String> administrators(ServerConfig config) {
    return config.services().administration().admins();
  }

  /// How many were held back since the last one; null if this one is held back too.
  private synchronized @Nullable Integer take(String key) {
    Instant now = surroundings.runtime().clock().instant();
    Sent before = sent.get(key);
    if (before != null && now.isBefore(before.time.plus(PERIOD))) {
      sent.put(key, new Sent(before.time, before.held + 1));
      return null;
    }
    sent.remove(key);
    sent.put(key, new Sent(now, 0));
    if (sent.size() > MOST_TEXTS) {
      sent.remove(sent.keySet().iterator().next());
    }
    return before == null ? 0 : before.held;
  }
}
