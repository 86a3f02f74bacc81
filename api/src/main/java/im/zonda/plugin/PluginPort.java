package im.zonda.plugin;

import java.util.Locale;

/// A part of the server that a plugin asks for in its manifest. A plugin gets no port that it has
/// not declared.
@Stable(since = "1.0")
public enum PluginPort {
  /// To filter messages: [PluginContext#onMessage].
  MESSAGES,
  /// To filter presence: [PluginContext#onPresence].
  PRESENCE,
  /// To answer IQ requests: [PluginContext#onRequest].
  REQUESTS,
  /// To observe what happens: [PluginContext#onEvent].
  EVENTS,
  /// To send stanzas: [PluginContext#send].
  SEND,
  /// To keep values in the database: [PluginContext#store].
  STORE,
  /// To create and remove accounts: [PluginContext#accounts].
  ACCOUNTS,
  /// To tell who may log in: [PluginContext#provideAccounts].
  ACCOUNT_PROVIDER,
  /// To serve pages: [PluginContext#onHttp].
  HTTP,
  /// To add operations for administrators: [PluginContext#offer].
  OPERATIONS;

  /// The name in the manifest, such as `account-provider`.
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
