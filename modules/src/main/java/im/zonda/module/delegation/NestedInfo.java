package im.zonda.module.delegation;

import im.zonda.jid.Jid;
import im.zonda.module.DiscoIdentity;
import im.zonda.module.DomainService;
import im.zonda.module.HostInfo;
import im.zonda.xml.Element;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/// The service discovery of a host with delegated namespaces (XEP-0355, section 7.2): for these,
/// the features of the components replace those of the server.
///
/// A feature or form is of a namespace if it has its name, or its name and a part behind `#`.
final class NestedInfo implements HostInfo {
  private final HostInfo own;
  private final List<String> namespaces;
  private final ManagedFeatures managed;

  /// @param namespaces the delegated namespaces that have features of their own
  NestedInfo(HostInfo own, List<String> namespaces, ManagedFeatures managed) {
    this.own = own;
    this.namespaces = namespaces;
    this.managed = managed;
  }

  private boolean isDelegated(String name) {
    return namespaces.stream()
        .anyMatch(namespace -> name.equals(namespace) || name.startsWith(namespace + "#"));
  }

  private List<ManagedFeatures.Described> ofHost() {
    return at(ManagedFeatures::nodeOfHost);
  }

  private List<ManagedFeatures.Described> ofAccounts() {
    return at(ManagedFeatures::nodeOfAccounts);
  }

  private List<ManagedFeatures.Described> at(Function<String, String> node) {
    Set<String> nodes = namespaces.stream().map(node).collect(Collectors.toSet());
    return managed.at(nodes);
  }

  @Override
  public List<DiscoIdentity> identities() {
    return identities(own.identities(), ofHost());
  }

  @Override
  public List<DiscoIdentity> accountIdentities() {
    return identities(own.accountIdentities(), ofAccounts());
  }

  private static List<DiscoIdentity> identities(
      List<DiscoIdentity> own, List<ManagedFeatures.Described> nested) {
    List<DiscoIdentity> all = new ArrayList<>(own);
    nested.forEach(info -> all.addAll(info.identities()));
    return all.stream().distinct().toList();
  }

  @Override
  public List<String> features() {
    return features(own.features(), ofHost());
  }

  @Override
  public List<String> accountFeatures() {
    return features(own.accountFeatures(), ofAccounts());
  }

  private List<String> features(Collection<String> own, List<ManagedFeatures.Described> nested) {
    Set<String> all = new TreeSet<>(own);
    all.removeIf(this::isDelegated);
    nested.forEach(info -> all.addAll(info.features()));
    return List.copyOf(all);
  }

  @Override
  public List<Element> forms() {
    return forms(own.forms(), ofHost());
  }

  @Override
  public List<Element> accountForms() {
    return forms(own.accountForms(), ofAccounts());
  }

  private List<Element> forms(List<Element> own, List<ManagedFeatures.Described> nested) {
    List<Element> all = new ArrayList<>(own);
    all.removeIf(form -> isDelegated(formType(form)));
    nested.forEach(info -> all.addAll(info.forms()));
    return all;
  }

  private static String formType(Element form) {
    return form.children().stream()
        .filter(field -> "FORM_TYPE".equals(field.attribute("var")))
        .flatMap(field -> field.children().stream())
        .map(Element::text)
        .findFirst()
        .orElse("");
  }

  @Override
  public List<? extends DomainService<?>> services() {
    return own.services();
  }

  @Override
  public List<Jid> components() {
    return own.components();
  }
}
