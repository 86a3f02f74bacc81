package im.zonda.module;

/// An identity for service discovery (XEP-0030, section 3.1).
public record DiscoIdentity(String category, String type, String name) {}
