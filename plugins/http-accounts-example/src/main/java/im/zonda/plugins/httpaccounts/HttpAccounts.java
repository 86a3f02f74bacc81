package im.zonda.plugins.httpaccounts;

import im.zonda.plugin.Plugin;
import im.zonda.plugin.PluginContext;
import im.zonda.plugin.PluginSettings;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/// Offers a provider of accounts that asks a service. `accounts.chain` of a host names it:
/// `["plugin:http-accounts-example", "internal"]`.
public final class HttpAccounts implements Plugin {
  private @Nullable HttpProvider provider;

  @Override
  public void start(PluginContext context) {
    PluginSettings settings = context.settings();
    provider =
        new HttpProvider(
            URI.create(settings.text("url")),
            settings.text("secret"),
            settings.duration("timeout"));
    context.provideAccounts(provider);
  }

  @Override
  public void stop() {
    if (provider != null) {
      provider.close();
    }
  }
}
