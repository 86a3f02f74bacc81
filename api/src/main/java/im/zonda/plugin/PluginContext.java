package im.zonda.plugin;

import im.zonda.account.provider.AccountProvider;
import im.zonda.http.HttpHandler;
import im.zonda.http.HttpMethod;
import im.zonda.operation.Offer;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.xml.QName;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import java.util.function.LongSupplier;
import org.slf4j.Logger;

/// The server, as one plugin sees it. Any thread may call, until the plugin is stopped; after that
/// every method throws [IllegalStateException]. Handlers are declared during [Plugin#start] only.
///
/// Methods that belong to a port throw [IllegalStateException] if the manifest does not declare it
/// ([PluginPort]).
///
/// Handlers run on threads of the plugin, not on those of the server, and have a limit of time. A
/// call that takes longer is interrupted and counts as failed, and the server handles the stanza
/// without the answer: a message or presence passes unchanged, a request is answered
/// `internal-server-error`.
@Stable(since = "1.0")
public interface PluginContext {
  /// The name in the manifest.
  String name();

  /// The version in the manifest.
  String version();

  /// The log of the plugin. Never log contents of messages.
  Logger log();

  /// The time.
  InstantSource clock();

  /// The domains of the hosts at which the plugin works at present: all without those that name it
  /// in `modules-off`.
  Set<String> hosts();

  /// The settings for the server.
  PluginSettings settings();

  /// The settings for a host: those of the server, with what `[host."DOMAIN".plugin.NAME]` changes.
  PluginSettings settings(String host);

  /// A folder for files of the plugin and of its operator, which exists. Relative paths in settings
  /// are meant from here.
  Path folder();

  /// Runs `task` after `first`, and then `period` after the end of each run, on a thread of the
  /// plugin, until it is cancelled or the plugin is stopped. A run that throws is reported, and the
  /// next one follows.
  PluginTimer every(Duration first, Duration period, Runnable task);

  /// As [#every], but at one node of a cluster. When that node has left, another one takes over.
  PluginTimer everyAtOneNode(Duration first, Duration period, Runnable task);

  /// Adds a feature to what the hosts answer in service discovery (XEP-0030).
  void advertise(String feature);

  /// Filters messages. Filters of several plugins are asked in the order of the names of the
  /// plugins.
  void onMessage(FilterPoint point, StanzaFilter<Message> filter);

  /// Filters presence. There is none at [FilterPoint#ROOM].
  void onPresence(FilterPoint point, StanzaFilter<Presence> filter);

  /// Answers IQ requests, get and set, that are addressed to a host or to an account and have that
  /// payload. What the server itself answers cannot be taken over: the plugin does not start.
  void onRequest(QName payload, RequestHandler handler);

  /// Observes what happens, in order for each account and each room. Events wait in a bounded
  /// queue; what does not fit is counted and lost for the plugin. At each node of a cluster the
  /// plugin observes what happens there.
  void onEvent(EventListener listener);

  /// Sends a stanza, which must have `from` and `to`: `from` is one of [#hosts], or an address
  /// below one that is no account's, such as `example.org/bot`. Returns at once.
  ///
  /// @throws IllegalArgumentException if `from` is not such an address
  void send(Stanza stanza);

  /// Tells the administrators of a host: as a line of the log and as a message to each account that
  /// the configuration names as an administrator. At most one a minute is sent for the same text;
  /// the next one says how many there were.
  ///
  /// @param text one sentence, without contents of messages unless the settings of the plugin ask
  ///   for them
  void report(String host, String text);

  /// The values of the plugin in the database.
  PluginStore store();

  /// The accounts of the hosts.
  PluginAccounts accounts();

  /// Offers a provider of accounts, which `accounts.chain` then names `plugin:NAME`.
  void provideAccounts(AccountProvider provider);

  /// Serves a path below `/plugins/NAME/` of each host, and everything below that path.
  ///
  /// @param path what follows `/plugins/NAME/`; may be empty
  @Preview
  void onHttp(HttpMethod method, String path, HttpHandler handler);

  /// Lets administrators run an operation of a host. Its name begins with the name of the plugin
  /// and a full stop.
  @Preview
  void offer(Offer<?, ?> operation);

  /// Counts for those who watch the server: the meter is `zonda_plugin_NAME_WHAT_total`.
  ///
  /// @param what lower-case words joined by `_`
  /// @param help what is counted, in a few words without a full stop
  PluginCounter counter(String what, String help);

  /// Shows a number at present: the meter is `zonda_plugin_NAME_WHAT`.
  ///
  /// @param number any thread may call it, and it does not block
  void gauge(String what, String help, LongSupplier number);
}
