package im.zonda.module.pubsub.request;

import im.zonda.module.forms.DataForm;
import im.zonda.module.pubsub.node.NodeConfig;
import im.zonda.module.pubsub.node.NodeOption;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Which nodes a list has, by their types (XEP-0462). A node without a type has the empty one.
///
/// @param types the types
/// @param included whether nodes of these types are listed, or all others
public record TypeFilter(List<String> types, boolean included) {
  /// The namespace, which is also the feature.
  public static final String NAMESPACE = "urn:xmpp:pubsub-filter:0";

  private static final QName FILTER = new QName(NAMESPACE, "filter");
  private static final TypeFilter NONE = new TypeFilter(List.of(), false);

  /// Copies the types.
  public TypeFilter {
    types = List.copyOf(types);
  }

  /// The filter in a discovery request; one that lists everything if it has none.
  ///
  /// @return null if the filter is not valid: it has no form, or includes and excludes
  public static @Nullable TypeFilter of(Element query) {
    Element filter = query.child(FILTER);
    if (filter == null) {
      return NONE;
    }
    DataForm form = DataForm.of(filter.child(DataForm.X));
    if (form == null || !NAMESPACE.equals(form.kind()) || !form.type().equals("submit")) {
      return null;
    }
    DataForm.Field in = form.field("included-types");
    DataForm.Field out = form.field("excluded-types");
    if (in != null && out != null) {
      return null;
    }
    if (in != null) {
      return new TypeFilter(in.values(), true);
    }
    return out == null ? NONE : new TypeFilter(out.values(), false);
  }

  /// Whether a node with that configuration is listed.
  public boolean lists(NodeConfig config) {
    return types.contains(config.value(NodeOption.TYPE)) == included;
  }
}
