package im.zonda.module.search;

import im.zonda.config.ServerConfig;
import im.zonda.config.Services.Search;
import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.module.Ports;
import im.zonda.module.Xep;
import im.zonda.module.XmppModule;
import im.zonda.module.disco.RequestService;
import im.zonda.module.vcard.VcardModule;
import im.zonda.store.AccountAddresses;
import im.zonda.store.ValueKey;
import im.zonda.xml.Element;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Finds users of the host by their vCards, where `services.search` says so. Text matches if it is
/// contained in the field, whatever its case.
///
/// A user opts in or out by the class of the vCard: one that is private or confidential is not even
/// in the directory.
@Xep(
    number = 55,
    version = "1.3",
    title = "Jabber Search",
    note = "For accounts of the host only. A request without any text is rejected")
public final class SearchModule implements XmppModule {
  private static final Duration FIRST = Duration.ofSeconds(10);
  private static final Duration PERIOD = Duration.ofDays(1);

  private final VcardModule vcards;

  /// @param vcards the module that has the vCards
  public SearchModule(VcardModule vcards) {
    this.vcards = vcards;
  }

  @Override
  public String name() {
    return "search";
  }

  @Override
  public Ports ports() {
    return Ports.of(AccountAddresses.class).withKeyValues(Directory.STORE);
  }

  @Override
  public void install(ModuleContext context) {
    Search settings = context.config().services().search();
    if (!settings.isOn()) {
      return;
    }
    Directory directory = new Directory(context, vcards);
    vcards.onChange(directory::update);
    Jid domain = Jid.of(null, settings.prefix() + "." + context.domain().domain(), null);
    context.serve(
        new RequestService(
            domain, SearchService.IDENTITY, context, new SearchService(context, directory)));
    context.everyAtOneNode(FIRST, PERIOD, directory::rebuild);
  }

  /// What the search has of a new account that has a vCard, and where; null if it is off at the
  /// host, or has nothing of it.
  public static Map.@Nullable Entry<ValueKey, byte[]> storedWith(
      ServerConfig host, Jid account, Element vcard) {
    return host.services().search().isOn() ? Directory.storedWith(account, vcard) : null;
  }

  @Override
  public boolean reload(ServerConfig before, ServerConfig after) {
    Search old = before.services().search();
    Search now = after.services().search();
    return old.isOn() == now.isOn() && old.prefix().equals(now.prefix());
  }

  @Override
  public void stop() {
    vcards.onChange(null);
  }
}
