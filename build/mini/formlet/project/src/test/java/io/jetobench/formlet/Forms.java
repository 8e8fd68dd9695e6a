package io.jetobench.formlet;

/** Test data: the rules of an order form. */
final class Forms {

    static final RuleBook ORDER = RuleBook.builder()
            .field("customer", "required & matches('[A-Z]{2}-[0-9]{4,8}')")
            .field("name", "required & length(2, 60)")
            .field("street", "required & length(3, 60) & matches('[\\p{L} .''-]+ [0-9]+[a-z]?')")
            .field("postcode", "required & (matches('[0-9]{5}') | matches('[A-Z]{1,2}[0-9][0-9A-Z]? ?[0-9][A-Z]{2}'))")
            .field("city", "required & length(2, 40) & !matches('.*[0-9].*')")
            .field("country", "required & oneOf('AT', 'BE', 'CH', 'DE', 'DK', 'FR', 'GB', 'NL', 'NO', 'SE')")
            .field("mail", "matches('[a-z0-9._%+-]+@[a-z0-9-]+([.][a-z0-9-]+)*[.][a-z]{2,}')")
            .field("phone", "matches('[+]?[0-9]{1,3}([ /-]?[0-9]{2,5}){2,4}')")
            .field("card", "luhn & length(8, 23)")
            .field("account", "iban")
            .field("quantity", "required & range(1, 500)")
            .field("delivery", "matches('(20[0-9]{2})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])') | oneOf('asap', 'none')")
            .build();

    private Forms() {}
}
