"""Words for relatives and partners, as people call them, by what they mean.

"My mum", "mama" and "mother" are the same person of somebody's life.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_WORDS = {
    "mother": """mother mum mums mom moms mommy mummy mama mamma mam maman mère mutter mutti muttern madre mamá
        mãe mamãe moeder mor äiti anya anyám édesanya anne annem matka maminka мама мать мати мамо μητέρα μαμά
        mẹ má ibu mamak nanay inay أمي ماما والدة أم אמא مادر مامان माँ मां मम्मी আম্মু মা அம்மா ammi แม่ 母
        母親 妈 妈妈 媽 媽媽 お母さん 母さん おふくろ 엄마 어머니 어머님
        amma maa mumsy momma mãezinha mamica""",
    "father": """father dad dads daddy papa papas da vater vati padre papá père pai papai vader isä apa apám
        édesapa baba babam ojciec tata táta otec папа отец тато батько πατέρας μπαμπάς bố ba ayah bapak tatay
        أبي بابا والد אבא پدر पिता पापा আব্বু বাবা அப்பா abbu พ่อ 父 父親 父亲 爸 爸爸 老爸 お父さん 父さん
        おやじ 아빠 아버지
        abba appa pops babbo taata paps""",
    "parents": """parents parent folks eltern padres pais ouders foreldrar forældre föräldrar vanhemmat szülők
        rodzice rodiče родители батьки γονείς 両親 親 父母 爸妈 爸媽 부모님 부모""",
    "sister": """sister sis sisters schwester hermana irmã sorella soeur sœur zus zuster syster søster sisko nővér
        húg kardeş abla siostra sestra сестра αδελφή αδερφή kakak adik أخت אחות خواهر बहन दीदी বোন আপা akka
        พี่สาว น้องสาว 姉 妹 姐 姐姐 妹妹 お姉ちゃん 누나 언니 여동생
        didi behen sissy hermanita sorellina zusje""",
    "brother": """brother bro brothers bruder hermano irmão fratello frère broer bror veli báty öcs abi ağabey
        bratr брат αδελφός αδερφός kuya أخ אח برادر भाई भैया ভাই พี่ชาย น้องชาย 兄 弟 哥 哥哥 弟弟 お兄ちゃん 형
        오빠 남동생
        bhai bhaiya bhaiyya broertje hermanito fratellone irmãozinho""",
    "son": """son sons sohn hijo filho figlio fils zoon søn poika oğul oğlum syn сын син γιος ابن בן پسر बेटा ছেলে
        மகன் ลูกชาย 息子 儿子 兒子 仔 아들""",
    "daughter": """daughter daughters tochter hija filha figlia fille dochter dotter datter tytär lánya kızım
        córka dcera дочь дочка донька κόρη ابنة بنت בת دختر बेटी মেয়ে மகள் beti ลูกสาว 娘 女儿 女兒 闺女 囡 딸""",
    "child": """child children kid kids baby kinder hijos niño niños filhos bambino bambini figli enfant enfants
        kinderen barn lapsi lapset gyerek çocuk dziecko dzieci dítě děti ребенок ребёнок дети дитина діти παιδί
        παιδιά طفل أطفال ילד ילדים بچه बच्चा बच्चे ลูก 子供 子ども 孩子 小孩 아이 아기""",
    "husband": """husband hubby hubbys ehemann gatte marido esposo marito mari echtgenoot férj koca kocam mąż
        manžel муж чоловік σύζυγος άντρας chồng suami asawa زوج בעל شوهر पति স্বামী கணவர் สามี 夫 旦那 主人 丈夫
        老公 남편 신랑""",
    "wife": """wife wifey missus ehefrau gattin esposa mujer mulher moglie femme épouse echtgenote fru hustru
        vaimo feleség eşim karım żona manželka жена дружина γυναίκα vợ istri زوجة אישה زن همسر पत्नी বউ স্ত্রী
        மனைவி เมีย ภรรยา 妻 嫁 妻子 老婆 太太 아내 와이프""",
    "partner": """partner partnerin girlfriend boyfriend fiancé fiancée freundin pareja novia novio namorada
        namorado compagna compagno copine copain vriendin kæreste sambo tyttöystävä poikaystävä barátnő sevgili
        dziewczyna chłopak přítel přítelkyně девушка парень партнер σύντροφος 彼女 彼氏 恋人 女朋友 男朋友
        여자친구 남자친구""",
    "grandmother": """grandmother grandma gran granny nan nana nanna gramma oma omas omi großmutter abuela
        abuelita yaya avó vovó nonna grand-mère mamie mémé grootmoeder mormor farmor bedstemor isoäiti mummo
        nagymama nagyanya babaanne anneanne babcia babička бабушка баба бабуся γιαγιά nenek lola جدة تيتا סבתא
        مادربزرگ दादी नानी দাদি নানি பாட்டி ยาย ย่า 祖母 おばあちゃん 奶奶 外婆 姥姥 阿嬤 할머니
        gogo ouma dadi nani bà nonnina mamy""",
    "grandfather": """grandfather grandpa grandad granddad gramps opa opas großvater abuelo abuelito avô vovô
        nonno grand-père papi pépé grootvader morfar farfar bedstefar isoisä ukki nagypapa nagyapa dede dziadek
        dědeček дедушка дед дідусь παππούς kakek lolo جد סבא پدربزرگ दादा नाना দাদা নানা தாத்தா ตา ปู่ 祖父
        おじいちゃん 爷爷 爺爺 外公 阿公 할아버지
        oupa thatha grandpop pops""",
    "aunt": """aunt auntie aunty tante tía tia zia tatie teyze hala ciocia teta тетя тітка θεία bibi عمة خالة דודה
        خاله चाची मौसी খালা ป้า น้า おばさん 叔母 伯母 阿姨 姑姑 姨妈 이모 고모
        tita tantie khala masi chachi tantine""",
    "uncle": """uncle onkel tío tio zio oncle oom farbror morbror eno setä amca dayı wujek strýc дядя дядько θείος
        paman عم خال דוד عمو चाचा मामा চাচা மாமா ลุง おじさん 叔父 伯父 叔叔 舅舅 삼촌
        chacha tonton""",
    "cousin": """cousin cousine vetter kusine primo prima cugino cugina neef kusin fætter serkku unokatestvér
        kuzen kuzyn kuzynka bratranec sestřenice двоюродный кузен ξάδερφος ξαδέρφη sepupu いとこ 表哥 表姐 堂弟
        表妹 사촌""",
    "nephew": """nephew neffe sobrino sobrinho nipote neveu brorson nevø veljenpoika unokaöcs yeğen siostrzeniec
        bratanek synovec племянник племінник ανιψιός 甥 侄子 外甥 조카""",
    "niece": """niece nichte sobrina sobrinha nièce niese brorsdotter unokahúg siostrzenica bratanica neteř
        племянница племінниця ανιψιά 姪 侄女 外甥女""",
    "grandson": """grandson enkel nieto neto petit-fils kleinzoon barnbarn unoka torun wnuk vnuk внук онук εγγονός
        孫 孙子 손자""",
    "granddaughter": """granddaughter enkelin nieta neta petite-fille kleindochter wnuczka vnučka внучка онука
        εγγονή 孙女 孫娘 손녀""",
    "mother-in-law": """mother-in-law schwiegermutter suegra sogra suocera belle-mère schoonmoeder svärmor
        svigermor anoppi anyós kayınvalide teściowa tchyně теща тёща свекровь свекруха πεθερά mertua biyenan سas
        ساس सास শাশুড়ি แม่ยาย 義母 姑 婆婆 岳母 丈母娘 시어머니 장모님""",
    "father-in-law": """father-in-law schwiegervater suegro sogro suocero beau-père schoonvader svärfar svigerfar
        appi após kayınpeder teść tchán тесть свекор πεθερός ससुर শ্বশুর พ่อตา 義父 公公 岳父 시아버지 장인어른""",
    "sister-in-law": """sister-in-law schwägerin cuñada cunhada cognata belle-sœur schoonzus svägerska svigerinde
        käly sógornő yenge görümce szwagierka bratowa švagrová невестка свояченица κουνιάδα भाभी ভাবি 義姉 義妹
        嫂子 弟媳 형수 올케""",
    "brother-in-law": """brother-in-law schwager cuñado cunhado cognato beau-frère zwager svåger svoger lanko
        sógor enişte kayınbirader szwagier švagr шурин зять деверь γαμπρός जीजा দুলাভাই 義兄 義弟 姐夫 妹夫 매형
        처남""",
    "son-in-law": """son-in-law schwiegersohn yerno genro genero gendre schoonzoon svärson svigersøn svigersønn vävy
        vő damat zięć zeť зять menantu صهر חתן داماد दामाद ลูกเขย 婿 女婿 사위""",
    "daughter-in-law": """daughter-in-law schwiegertochter nuera nora nuora belle-fille schoondochter svärdotter
        svigerdatter miniä meny gelin synowa snacha сноха νύφη كنة כלה عروس बहू ลูกสะใภ้ 媳妇 儿媳 며느리""",
    "boss": """boss manager chef chefin jefe jefa patrón chefe capo patron baas sjef pomo főnök szef szefowa šéf
        начальник начальница босс шеф αφεντικό sếp bos مدير בוס رئیس बॉस หัวหน้า 上司 社長 老板 老闆 领导 상사
        사장님""",
    "dog": """dog dogs doggo puppy hund hündin perro perra cachorro cane cagnolino chien chienne hond hunden koira
        kutya köpek pies suczka pes fena собака пёс пес σκύλος σκυλί chó anjing aso كلب כלב سگ कुत्ता কুকুর நாய்
        หมา สุนัข 犬 ワンコ 狗 강아지 개""",
    "cat": """cat cats kitty kitten katze kater gato gata gatto gatta chatte kat poes katt katten kissa macska
        cica kedi kot kotka kočka kocour кошка кот кіт кішка γάτα γάτος mèo kucing pusa قطة חתול گربه बिल्ली
        বিড়াল பூனை แมว 猫 ネコ 貓 고양이 냥이""",
}


def _by_word(words: Mapping[str, str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for kin, listed in words.items():
        for word in listed.split():
            found.setdefault(word, kin)
    return found


KIN = _by_word(_WORDS)
"""What each word means, in lower case."""


def kin_of(text: str) -> str:
    """Whom of a person's life some words mean, in English; empty if none of them does.

    >>> kin_of("my Mum"), kin_of("the user's grandmother"), kin_of("Ada")
    ('mother', 'grandmother', '')
    """
    return next((KIN[word] for word in re.findall(r"[\w-]+", text.casefold()) if word in KIN), "")
