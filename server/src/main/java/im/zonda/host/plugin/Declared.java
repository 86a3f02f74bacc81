package im.zonda.host.plugin;

import im.zonda.account.provider.AccountProvider;
import im.zonda.host.plugin.guard.Held;
import im.zonda.http.HttpHandler;
import im.zonda.http.HttpMethod;
import im.zonda.metric.Reading;
import im.zonda.operation.Offer;
import im.zonda.plugin.EventListener;
import im.zonda.plugin.FilterPoint;
import im.zonda.plugin.RequestHandler;
import im.zonda.plugin.StanzaFilter;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.xml.QName;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Declarations of a plugin, made while it was started. Not thread-safe: filled by one thread, and
/// read by others afterwards.
final class Declared {
  /// A filter of messages.
  record Messages(FilterPoint point, Held<StanzaFilter<Message>> filter) {}

  /// A filter of presence.
  record Presences(FilterPoint point, Held<StanzaFilter<Presence>> filter) {}

  /// A handler of IQ requests.
  record Requests(QName payload, Held<RequestHandler> handler) {}

  /// A path below that of the plugin.
  record Page(HttpMethod method, String path, Held<HttpHandler> handler) {}

  final List<String> features = new ArrayList<>();
  final List<Messages> messages = new ArrayList<>();
  final List<Presences> presences = new ArrayList<>();
  final List<Requests> requests = new ArrayList<>();
  final List<Page> pages = new ArrayList<>();
  final List<Offer<?, ?>> operations = new ArrayList<>();
  final List<Held<EventListener>> listeners = new ArrayList<>();
  final List<Reading> readings = new ArrayList<>();
  @Nullable Held<AccountProvider> provider;

  /// The provider itself, while the plugin is started.
  @Nullable AccountProvider given;
}
