package im.zonda.module.search;

import java.util.Locale;

/// The fields of the search (XEP-0055, section 6.2), in the order of the registry.
enum Field {
  FIRST("Given Name"),
  LAST("Family Name"),
  NICK("Nickname"),
  EMAIL("Email Address");

  private final String label;

  Field(String label) {
    this.label = label;
  }

  /// The name in requests, forms and the configuration.
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  String label() {
    return label;
  }
}
