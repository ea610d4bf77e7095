-- The words by which retrieval finds a text, in English, German, Spanish, French, Japanese, Chinese and Korean.

-- The language of a text by its function words; English if they do not tell. Words that two languages have count for both.
CREATE FUNCTION text_language(content text) RETURNS regconfig
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $function$
DECLARE
    beginning CONSTANT tsvector := to_tsvector('pg_catalog.simple', left(content, 2000));
    -- The fewest words that are left without those of one language.
    least int := length(ts_delete(beginning, '{
        a,an,the,of,and,or,to,in,on,at,is,are,was,were,be,been,has,have,had,it,its,that,this,these,for,with,from,by,as,not,no,
        he,she,i,we,you,they,my,your,his,her,our,their,me,him,us,them,ya,what,when,where,which,who,whose,why,how,do,does,did,
        can,could,should,would,will,must,may,if,but,so,there,here,s,t}'::text[]));
    language regconfig := 'pg_catalog.english';
    remaining int;
BEGIN
    remaining := length(ts_delete(beginning, '{
        der,die,das,den,dem,des,ein,eine,einen,einem,einer,eines,und,oder,aber,nicht,kein,keine,ist,sind,war,waren,hat,haben,
        hatte,wird,wurde,werden,kann,muss,soll,sollen,im,in,am,an,zum,zur,zu,mit,für,auf,von,vom,aus,bei,nach,seit,über,unter,
        bis,ohne,sich,er,sie,es,wir,ihr,ich,du,mich,mir,mein,meine,sein,seine,ihre,unser,unsere,was,wann,wo,wohin,woran,wer,
        wen,wem,wessen,wie,warum,welche,welcher,welches,welchen,welchem,dass,wenn,weil,noch,nur,mehr,als,man,so}'::text[]));
    IF remaining < least THEN
        least := remaining;
        language := 'pg_catalog.german';
    END IF;
    remaining := length(ts_delete(beginning, '{
        el,la,los,las,un,una,unos,unas,de,del,al,a,y,o,e,no,ni,que,qué,es,son,está,están,fue,era,ha,han,hay,en,con,por,para,
        sin,sobre,desde,hasta,su,sus,mi,mis,tu,nuestro,nuestra,nuestros,nuestras,se,lo,le,les,me,te,nos,como,cómo,cuando,
        cuándo,donde,dónde,adónde,quién,quiénes,cuál,cuáles,cuánto,cuánta,cuántos,pero,más,muy,ya,porque,si}'::text[]));
    IF remaining < least THEN
        least := remaining;
        language := 'pg_catalog.spanish';
    END IF;
    remaining := length(ts_delete(beginning, '{
        le,la,les,l,un,une,des,du,de,d,et,ou,ne,n,pas,ni,est,sont,était,a,ont,dans,en,avec,pour,par,sans,sur,chez,au,aux,à,il,
        elle,ils,elles,on,nous,vous,je,j,tu,me,se,s,son,sa,ses,leur,leurs,mon,ma,mes,notre,nos,ce,cette,ces,que,qu,qui,quoi,
        quel,quelle,quels,quelles,quand,où,comment,pourquoi,combien,c,y,mais,plus,très,depuis}'::text[]));
    IF remaining < least THEN
        language := 'pg_catalog.french';
    END IF;
    RETURN language;
END
$function$;

-- Pairs of characters of scripts that write no spaces, and each Chinese character. Hiragana also writes endings and particles:
-- its pairs with a particle and the most frequent ones are left out.
CREATE FUNCTION character_pairs(content text) RETURNS tsvector
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $function$
    WITH characters AS (
        SELECT letter, lead(letter) OVER (ORDER BY place) AS following
        FROM unnest(string_to_array(content, NULL)) WITH ORDINALITY AS one (letter, place)
    )
    SELECT array_to_tsvector(coalesce(array_agg(DISTINCT term) FILTER (WHERE term <> ''), '{}'))
    FROM characters
    CROSS JOIN LATERAL (VALUES
        (CASE WHEN letter ~ '[㐀-䶿一-鿿]' AND letter NOT IN ('何', '時', '方', '事') THEN letter END),
        (CASE WHEN letter || following ~ '^[ぁ-ヿ㐀-䶿一-鿿가-힣]{2}$'
            AND letter || following !~ '^([はがをにでとのもへ][ぁ-ゖ]|[ぁ-ゖ][はがをにでとのもへ])$'
            AND letter || following <> ALL ('{
            ます,ませ,せん,した,して,てい,いる,いま,まし,たい,ない,なか,かっ,った,って,ある,あり,りま,する,すか,これ,それ,あれ,どれ,どこ,いつ,だれ,
            なに,なぜ,どう,んな,いく,くら,つか,から,まで,ため,こと,よう,うな,たか,んだ,だっ,れる,られ,せる,くだ,ださ,さい,てく,だけ,しい,さん}'::text[])
            THEN letter || following END)
    ) AS found (term)
$function$;

-- PostgreSQL takes the quotation marks and dashes of print for letters where the locale is C.
CREATE FUNCTION search_words(content text) RETURNS tsvector
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $function$
DECLARE
    plain CONSTANT text := translate(content, '‘’¿¡«»„“”‚…–—', $$''           $$);
    language CONSTANT regconfig := text_language(plain);
    stemmer regdictionary;
    in_english text;
BEGIN
    IF plain ~ '[ぁ-ヿ㐀-䶿一-鿿가-힣]' THEN
        RETURN character_pairs(plain)
            || search_words(regexp_replace(plain, '[　-〿！？（），：ぁ-ヿ㐀-䶿一-鿿가-힣]+', ' ', 'g'));
    END IF;
    IF language = 'pg_catalog.english'::regconfig THEN
        RETURN to_tsvector('pg_catalog.english', plain);
    END IF;
    -- Names and terms of any language are the same in a text in English: they keep their stems of English too.
    stemmer := CASE language
        WHEN 'pg_catalog.german'::regconfig THEN 'pg_catalog.german_stem'
        WHEN 'pg_catalog.spanish'::regconfig THEN 'pg_catalog.spanish_stem'
        ELSE 'pg_catalog.french_stem'
    END;
    SELECT string_agg(word, ' ') INTO in_english
    FROM unnest(tsvector_to_array(to_tsvector('pg_catalog.simple', plain))) AS word
    WHERE ts_lexize(stemmer, word) <> '{}';
    RETURN ts_delete(
        to_tsvector(language, plain) || to_tsvector('pg_catalog.english', coalesce(in_english, '')),
        '{wann,wo,wohin,wer,wen,wem,wessen,warum,woran,wi,viel,welch,welcher,qué,cuándo,cuánd,dónde,dónd,dond,adónd,quién,quien,cuál,
            cual,cuánto,cuánt,cuant,cuand,cómo,com,quel,quell,quand,où,comment,pourquoi,combien,est-c}'::text[]
    );
END
$function$;
