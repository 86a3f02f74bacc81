package im.zonda.host;

import im.zonda.home.account.Dispatch;
import im.zonda.hook.BindHandler;
import im.zonda.http.HttpRoute;
import im.zonda.jid.Jid;
import im.zonda.module.DiscoIdentity;
import im.zonda.module.DomainService;
import im.zonda.module.ExternalComponents;
import im.zonda.module.HostInfo;
import im.zonda.module.IqTable;
import im.zonda.module.UnauthenticatedHandler;
import im.zonda.stanza.Iq;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Supplier;

/// Everything that the modules of one host have declared, in the order of their installation.
/// Filled by one thread and not changed after it was published.
final class HostDeclarations implements HostInfo {
  final Dispatch.Builder dispatch;
  final List<DiscoIdentity> identities = new ArrayList<>();
  final List<DiscoIdentity> accountIdentities = new ArrayList<>();
  final SortedSet<String> features = new TreeSet<>();
  final SortedSet<String> accountFeatures = new TreeSet<>();
  final List<Element> forms = new ArrayList<>();
  final List<Supplier<Element>> streamFeatures = new ArrayList<>();
  final List<Supplier<Element>> earlyStreamFeatures = new ArrayList<>();
  final List<DomainService<?>> services = new ArrayList<>();
  final List<ExternalComponents.Extension> extensions = new ArrayList<>();
  final List<BindHandler> everyBind = new ArrayList<>();
  final List<HttpRoute> httpRoutes = new ArrayList<>();
  private final IqTable<UnauthenticatedHandler> unauthenticated = new IqTable<>();
  private final Map<QName, BindHandler> bindHandlers = new LinkedHashMap<>();

  HostDeclarations(Jid domain) {
    dispatch = new Dispatch.Builder(domain);
    accountIdentities.add(new DiscoIdentity("account", "registered", null));
  }

  void onUnauthenticatedIq(Iq.Type type, QName payload, UnauthenticatedHandler handler) {
    unauthenticated.add(type, payload, handler);
  }

  void onHttp(HttpRoute route) {
    for (HttpRoute other : httpRoutes) {
      if (other.path().equals(route.path())
          && other.prefix() == route.prefix()
          && !Collections.disjoint(other.methods(), route.methods())) {
        throw new IllegalStateException("two modules serve " + route.path() + " by HTTP");
      }
    }
    httpRoutes.add(route);
  }

  void onBind(QName request, BindHandler handler) {
    if (bindHandlers.putIfAbsent(request, handler) != null) {
      throw new IllegalStateException("two modules answer " + request + " in bind requests");
    }
  }

  IqTable<UnauthenticatedHandler> unauthenticated() {
    return unauthenticated;
  }

  Map<QName, BindHandler> bindHandlers() {
    return bindHandlers;
  }

  @Override
  public List<DiscoIdentity> identities() {
    return List.copyOf(identities);
  }

  @Override
  public List<String> features() {
    return List.copyOf(features);
  }

  @Override
  public List<String> accountFeatures() {
    return List.copyOf(accountFeatures);
  }

  @Override
  public List<Element> forms() {
    return List.copyOf(forms);
  }

  @Override
  public List<DomainService<?>> services() {
    return List.copyOf(services);
  }

  @Override
  public List<DiscoIdentity> accountIdentities() {
    return List.copyOf(accountIdentities);
  }

  /// No module declares forms of accounts.
  @Override
  public List<Element> accountForms() {
    return List.of();
  }

  /// No module declares components.
  @Override
  public List<Jid> components() {
    return List.of();
  }
}
